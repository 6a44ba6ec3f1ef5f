import { cleanup } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { tokens } from "@/shared/richText/tokens";
import type { Message } from "../../model/chat";
import { messageOf } from "../../model/linesOf";
import { CORPUS } from "../../testing/corpus";
import { chatFrame } from "../../testing/fakeRoom";
import { inRoom } from "../../testing/inRoom";
import { MessageRow } from "../message/MessageRow";

const asked = vi.fn();

beforeEach(() => {
  asked.mockReset();
  vi.stubGlobal("fetch", asked);
  vi.stubGlobal("alert", asked);
  vi.stubGlobal("XMLHttpRequest", asked);
});

function message(words: string): Message {
  const reply = { sender: "🐙", words, seq: 3, picture: "" };
  return { ...messageOf(chatFrame(7), "🦊"), words, reply };
}

const show = (shown: Message) => inRoom(<MessageRow first last message={shown} />, {}).container;

/** All elements of a row with nothing dangerous in it. */
const HARMLESS = new Set(["DIV", "ARTICLE", "SPAN", "P", "BUTTON", "svg", "path", "A"]);
const ATTRIBUTES = /^(class|dir|href|rel|target|type|title|tabindex|aria-[a-z]+|data-[a-z]+)$/;

test.each(CORPUS.map((words) => [JSON.stringify(words).slice(0, 60), words]))("%s stays text", (_, words) => {
  const row = show(message(words));
  for (const element of row.querySelectorAll("*")) {
    expect(HARMLESS).toContain(element.tagName);
    if (element.closest("svg")) continue;
    for (const { name } of element.attributes) expect(name).toMatch(ATTRIBUTES);
  }
  for (const link of row.querySelectorAll("a")) {
    const { protocol, username, password } = new URL(link.href);
    expect(["http:", "https:"]).toContain(protocol);
    expect(username + password).toBe("");
    expect([link.target, link.rel]).toEqual(["_blank", "noopener noreferrer nofollow"]);
    expect(link.children).toHaveLength(0);
    // The visible text names the host that the link leads to, in the letters that a browser would show.
    const seen = link.textContent ?? "";
    expect(seen).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
    expect(new URL(seen.toLowerCase().startsWith("www.") ? `https://${seen}` : seen).host).toBe(link.host);
  }
  expect(asked).not.toHaveBeenCalled();

  // All words are visible, in one element that isolates their text direction.
  const body = row.querySelector("[data-emoji]");
  expect(body?.getAttribute("dir")).toBe("auto");
  const all = tokens(words);
  expect(body?.textContent).toBe(all.map(({ text }) => text).join(""));
  // Words without a link are shown unchanged.
  if (/<a\s/i.test(words)) return;
  for (const { kind, text } of all) if (kind === "text") expect(words).toContain(text);
});

test("a caption is no more dangerous than a message", () => {
  for (const words of CORPUS) {
    const picture = { full: "/api/room/x/image/y", tiny: null, width: 100, height: 50 };
    const row = show({ ...message(words), picture, reply: null });
    // The row shows no picture until its own one is loaded, and it asks for no other.
    expect([...row.querySelectorAll("img")].map((image) => image.getAttribute("src"))).toEqual([null]);
    expect(new Set(asked.mock.calls.map(([address]) => address))).toEqual(new Set([picture.full]));
    expect(row.querySelectorAll("script, iframe, object, embed, style, form, input")).toHaveLength(0);
    cleanup();
  }
});
