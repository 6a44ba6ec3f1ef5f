import { site } from "./en/site";
import { inUse } from "./language";

export type Text = typeof site;

/** The words in use. Read them while rendering, not when a module is loaded: another language comes later. */
export let text: Text = site;

const others = import.meta.glob<Text>(["./*/site.ts", "!./en/*"], { import: "site" });

/** Called once, before anything is drawn. If another language can't be loaded, the words stay English. */
export async function loadText() {
  text = await inUse(site, others);
}
