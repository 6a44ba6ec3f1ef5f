import { begin } from "./begin";
import { startSite } from "./startSite";

await startSite(begin(import.meta.url));
