import { site } from "./en/site";
import { inUse, language } from "./language";

export type Text = typeof site;

/** The words in use. Read them while rendering, not once per module: another language is loaded after the code. */
export let text: Text = site;

const others = import.meta.glob<Text>(["./*/site.ts", "!./en/*"], { import: "site" });

/** Called once, before anything is drawn. English is there already: it is what is shown when nothing else can be. */
export async function loadText() {
  document.documentElement.lang = language();
  text = await inUse(site, others);
}
