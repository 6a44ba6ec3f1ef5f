import { beforeEach, expect, test } from "vitest";
import { graphemes, isEmoji } from "@/shared/richText/tokens";
import { chat as deChat } from "@/shared/text/de/chat";
import { chat } from "@/shared/text/en/chat";
import { GROUPS, recent, remember } from "./emoji";

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

test("what was chosen last comes first, once, and sixteen are kept", () => {
  const signs = GROUPS.flat().slice(0, 20);
  for (const sign of signs) remember(sign);
  remember(signs[10] ?? "");
  expect(recent()).toHaveLength(16);
  expect(recent().slice(0, 2)).toEqual([signs[10], signs[19]]);
  expect(recent().filter((sign) => sign === signs[10])).toHaveLength(1);
});
