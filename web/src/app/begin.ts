import "@/styles/tokens.css";
import "@/styles/fonts.css";
import "@/styles/base.css";
import { applyChosenTheme } from "@/shared/theme";
import { keepShell, reloadWhenOutdated } from "./offlineShell";

/** What every page does first. Gives the element that the app draws in. */
export function begin(version: string): HTMLElement {
  applyChosenTheme();
  keepShell();
  reloadWhenOutdated(version);
  const container = document.getElementById("app");
  if (!container) throw new Error("index.html has no #app");
  return container;
}
