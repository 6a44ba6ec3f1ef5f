import { beforeEach, expect, test, vi } from "vitest";
import { language, locale } from "./language";

beforeEach(() => localStorage.clear());

// "qaa" is reserved for private use, so the app will never have it.
test.each([
  [null, ["de-AT", "en"], "de", "de-AT"],
  [null, ["qaa", "en-GB"], "en", "en-GB"],
  [null, ["qaa"], "en", "en"],
  ["en", ["de"], "en", "en"],
  ["qaa", ["de"], "de", "de"],
])("stored %s, browser %j: %s, dates as in %s", (stored, browser, chosen, dates) => {
  if (stored) localStorage.setItem("language", stored);
  vi.spyOn(navigator, "languages", "get").mockReturnValue(browser);
  expect(language()).toBe(chosen);
  expect(locale()).toBe(dates);
});
