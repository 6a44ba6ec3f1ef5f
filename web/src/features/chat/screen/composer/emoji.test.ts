import { beforeEach, expect, test } from "vitest";
import { graphemes, isEmoji } from "@/shared/richText/tokens";
import { chat as deChat } from "@/shared/text/de/chat";
import { emoji as deNames } from "@/shared/text/de/emoji";
import { chat } from "@/shared/text/en/chat";
import { emoji as names } from "@/shared/text/en/emoji";
import { found, GROUPS, recent, remember } from "./emoji";

beforeEach(() => localStorage.clear());

test("every sign is one emoji, each is there once, and every group has a name", () => {
  const all = GROUPS.flat();
  expect(all.length).toBeGreaterThan(500);
  for (const sign of all) {
    expect(graphemes(sign), sign).toHaveLength(1);
    expect(isEmoji(sign), sign).toBe(true);
  }
  expect(all.filter((sign, at) => all.indexOf(sign) !== at)).toEqual([]);
  for (const { screen } of [chat, deChat]) expect(screen.emoji.groups).toHaveLength(GROUPS.length);
});

test.each([names, deNames])("every sign has a name, at its own place", (called) => {
  const bare = GROUPS.flat().map((sign) => sign.replace("\u{FE0F}", ""));
  const entries = called.split(",").map((entry) => entry.trim().split(" "));
  expect(entries.map(([sign]) => sign)).toEqual(bare);
  for (const [sign, ...words] of entries) expect(words.length, sign).toBeGreaterThan(0);
});

test.each([
  ["taco", names, "🌮"],
  ["Red  heart", names, "❤️"],
  ["thumbs d", names, "👎"],
  ["HERZ gebr", deNames, "💔"],
  ["brille", deNames, "🥸"],
  ["🦓", deNames, "🦓"],
  ["qqq", names, undefined],
])("a search for %s finds by the beginnings of words first", (query, called, first) => {
  expect(found(query, called)[0]).toBe(first);
});

test("the emoji chosen last comes first, none comes twice, and sixteen are kept", () => {
  const signs = GROUPS.flat().slice(0, 20);
  for (const sign of signs) remember(sign);
  remember(signs[10] ?? "");
  expect(recent()).toHaveLength(16);
  expect(recent().slice(0, 2)).toEqual([signs[10], signs[19]]);
  expect(recent().filter((sign) => sign === signs[10])).toHaveLength(1);
});
