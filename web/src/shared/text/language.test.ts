import { beforeEach, expect, test, vi } from "vitest";
import { writeCookie } from "../session/cookies";
import { language, locale } from "./language";

beforeEach(() => {
  writeCookie("language", "", -1);
  delete document.documentElement.dataset.drawn;
});

// "qaa" is reserved for private use, so the app will never have it.
test.each([
  ["", "", ["de-AT", "en"], "de", "de-AT"],
  ["", "", ["qaa", "en-GB"], "en", "en-GB"],
  ["", "", ["qaa"], "en", "en"],
  ["", "en", ["de"], "en", "en"],
  ["", "qaa", ["de"], "de", "de"],
  ["de", "en", ["en"], "de", "de"],
])("page in %s, chosen %s, browser %j: %s, dates as in %s", (page, chosen, browser, used, dates) => {
  if (page) Object.assign(document.documentElement, { lang: page }).dataset.drawn = "";
  if (chosen) writeCookie("language", chosen, 60);
  vi.spyOn(navigator, "languages", "get").mockReturnValue(browser);
  expect(language()).toBe(used);
  expect(locale()).toBe(dates);
});
