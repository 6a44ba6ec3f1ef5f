import { en } from "./en";

export type Text = typeof en;

/** The words in use. Read it while rendering, not once per module: the language may be chosen later than that. */
export const text: Text = en;
