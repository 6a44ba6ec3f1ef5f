import "@/styles/tokens.css";
import "@/styles/fonts.css";
import "@/styles/base.css";
import { roomAt } from "@/shared/links";
import { applyChosenTheme } from "@/shared/theme";
import { keepShell, reloadWhenOutdated } from "./offlineShell";

applyChosenTheme();
keepShell();
reloadWhenOutdated(import.meta.url);

const container = document.getElementById("app");
if (!container) throw new Error("index.html has no #app");

// Many come for one group only, so a group's page loads neither the router nor the other pages before they are needed.
const room = roomAt(window.location.pathname);
if (room === undefined) await (await import("./startSite")).startSite(container);
else await (await import("./startGroup")).startGroup(container, room);
