import { en } from "./en";
import { language } from "./language";

export type Text = typeof en;

/** The words in use. Read it while rendering, not once per module: another language comes after the code. */
export let text: Text = en;

/** Called once, before anything is drawn. English is there already: it is what is shown when nothing else can be. */
export async function loadText() {
  document.documentElement.lang = language();
  if (language() === "de") text = (await import("./de")).de;
}
