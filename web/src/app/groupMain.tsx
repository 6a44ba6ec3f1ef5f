import { roomAt } from "@/shared/links";
import { begin } from "./begin";
import { startGroup } from "./startGroup";

// The server sends this in place of `main.tsx` with a group's page: many come for one group only, so it loads neither the
// router nor the other pages before they are needed.
const room = roomAt(window.location.pathname);
if (room !== undefined) await startGroup(begin(import.meta.url), room);
