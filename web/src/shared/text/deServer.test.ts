import { expect, test } from "vitest";
import type { Code } from "@/shared/contract/codes";
import { SENTENCES } from "@/shared/testing/saying";
import { server } from "./de/server";

/** The numbers of a sentence, whose limits the server's own tests hold. */
function numbers(sentence: string): string[] {
  const words = sentence.replace(/\b(five|fünf)\b/, "5").replace(/64\b/, "");
  return (words.match(/(?<![\w-])\d+(?![\w-])/g) ?? []).sort();
}

test.each([...SENTENCES])("%s says the same numbers in German, and the same wait", (code: Code, sentence) => {
  const german = server[code];
  expect(numbers(german)).toEqual(numbers(sentence));
  expect(german.includes("{wait}")).toBe(sentence.includes("{wait}"));
});
