import { writeCookie } from "./session/cookies";
import { tabStorage } from "./storage";

type Theme = "light" | "dark";

/** The choice lasts as long as the tab: nothing about a visitor is kept longer on the device. */
const STORAGE_KEY = "theme";
const DAY_SECONDS = 24 * 60 * 60;

export function chosenTheme(): Theme | null {
  const stored = tabStorage.getItem(STORAGE_KEY);
  return stored === "light" || stored === "dark" ? stored : null;
}

export function currentTheme(): Theme {
  const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  return chosenTheme() ?? (systemIsDark ? "dark" : "light");
}

/**
 * Keeps the choice and applies it. With a cookie, the server's pages have the script (`early.ts`) that applies it before
 * they are drawn; a newcomer, who has no cookie, doesn't wait for that script.
 */
export function chooseTheme(theme: Theme) {
  tabStorage.setItem(STORAGE_KEY, theme);
  writeCookie("chosen", "1", DAY_SECONDS);
  apply(theme);
}

/** Applies an earlier choice in this tab. Called once, before anything is drawn. */
export function applyChosenTheme() {
  const theme = chosenTheme();
  if (theme) apply(theme);
}

/** Also sets the colour of the browser's own bars, which the page's head names: first for light, then for dark. */
function apply(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  const [light, dark] = document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]");
  light?.setAttribute("media", theme === "light" ? "all" : "not all");
  dark?.setAttribute("media", theme === "dark" ? "all" : "not all");
}
