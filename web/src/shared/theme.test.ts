import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyChosenTheme, chooseTheme } from "./theme";

const COLOURS = { light: "#fdf0d7", dark: "#17132b" };

beforeEach(() => {
  const page = readFileSync("index.html", "utf8");
  document.head.innerHTML = (page.match(/<meta name="theme-color".*?>/g) ?? []).join("");
});

afterEach(() => {
  sessionStorage.clear();
  delete document.documentElement.dataset.theme;
});

const named = () => [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")];

test("the colour around the page follows the theme that was chosen, and back", () => {
  for (const theme of ["dark", "light", "dark"] as const) {
    chooseTheme(theme);
    const [shown, ...others] = named().filter((colour) => colour.getAttribute("media") === "all");
    expect([shown?.content, others.length]).toEqual([COLOURS[theme], 0]);
    expect(named().filter((colour) => colour.getAttribute("media") === "not all")).toHaveLength(1);
  }
});

test("it does so again when the page is loaded again, and follows the system where nothing was chosen", () => {
  applyChosenTheme();
  expect(named().map((colour) => colour.getAttribute("media"))).toEqual([
    "(prefers-color-scheme: light)",
    "(prefers-color-scheme: dark)",
  ]);
  sessionStorage.setItem("theme", "dark");
  applyChosenTheme();
  expect(named().map((colour) => colour.getAttribute("media"))).toEqual(["not all", "all"]);
});
