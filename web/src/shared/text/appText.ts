import { enApp } from "./enApp";
import { language } from "./language";

export type AppText = typeof enApp;

/** The words of the screens behind the public pages. */
export const appText: AppText = language() === "de" ? (await import("./deApp")).deApp : enApp;
