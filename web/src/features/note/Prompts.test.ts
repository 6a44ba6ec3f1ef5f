import { expect, test } from "vitest";
import { withPrompt } from "./Prompts";

const prompts = ["Ask me about music", "Books?"];

test.each([
  ["stands above what was written", "hello", "Books?", "Books?\nhello"],
  ["begins an empty note", "", "Books?", "Books?\n"],
  ["takes the place of another", "Ask me about music\nhello", "Books?", "Books?\nhello"],
  ["goes when it is pressed again", "Books?\nhello\nthere", "Books?", "hello\nthere"],
  ["goes also if nothing was written", "Books?", "Books?", ""],
  ["is no part of a longer line", "Books?!", "Books?", "Books?\nBooks?!"],
])("a prompt %s", (_, message, prompt, expected) => {
  expect(withPrompt(message, prompt, prompts)).toBe(expected);
});

test("a note with a prompt is no longer than a note", () => {
  expect(Array.from(withPrompt("🦊".repeat(280), "Books?", prompts))).toHaveLength(280);
});
