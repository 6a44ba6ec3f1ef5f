import { beforeEach, expect, test, vi } from "vitest";
import { language, locale } from "./language";

beforeEach(() => localStorage.clear());

test.each([
  [null, ["de-AT", "en"], "de", "de-AT"],
  [null, ["fr", "en-GB"], "en", "en-GB"],
  [null, ["fr"], "en", "en"],
  ["en", ["de"], "en", "en"],
  ["xx", ["de"], "de", "de"],
])("stored %s, browser %j: %s, dates as in %s", (stored, browser, chosen, dates) => {
  if (stored) localStorage.setItem("language", stored);
  vi.spyOn(navigator, "languages", "get").mockReturnValue(browser);
  expect(language()).toBe(chosen);
  expect(locale()).toBe(dates);
});
