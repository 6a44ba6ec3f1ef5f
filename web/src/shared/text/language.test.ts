import { beforeEach, expect, test, vi } from "vitest";
import { app as deApp } from "./de/app";
import { chat as deChat } from "./de/chat";
import { reading as deReading } from "./de/reading";
import { site as deSite } from "./de/site";
import { app } from "./en/app";
import { chat } from "./en/chat";
import { reading } from "./en/reading";
import { site } from "./en/site";
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

/** Every text of a catalogue with its place; a text that is made is made with samples. */
function sentences(part: unknown, place = ""): [string, string][] {
  if (typeof part === "string") return [[place, part]];
  if (typeof part === "function") return [[place, part("SAMPLE", "SAMPLE") as string]];
  return Object.entries(part as object).flatMap(([key, inner]) => sentences(inner, `${place}.${key}`));
}

test.each([
  ["public pages", site, deSite],
  ["screens", { ...app, serverSays: {} }, { ...deApp, serverSays: {} }],
  ["words of a group", chat, deChat],
  ["reading matter", reading, deReading],
])("the German %s are whole", (_, english, german) => {
  const places = (catalogue: unknown) => sentences(catalogue).map(([place]) => place);
  expect(places(german)).toEqual(places(english));
  for (const [place, sentence] of sentences(german)) expect(sentence.trim(), place).not.toBe("");
  const samples = (catalogue: unknown) =>
    sentences(catalogue).map(([, sentence]) => sentence.split("SAMPLE").length);
  expect(samples(german)).toEqual(samples(english));
});
