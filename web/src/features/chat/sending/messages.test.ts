import { expect, test } from "vitest";
import { characters } from "@/shared/text/characters";
import { tidy } from "./messages";

test("words are tidied as the server does", () => {
  expect(tidy("  a\r\nb\rc\t\u0000\u001b[1m \n")).toBe("a\nb\nc\t[1m");
  expect(tidy(" \n\t ")).toBe("");
  expect(tidy("\u200b\u3164 \u2800")).toBe("");
  expect(tidy("👩‍👩‍👧‍👦❤️")).toBe("👩‍👩‍👧‍👦❤️");
});

test("characters are counted, not their halves", () => expect(characters("a😀é")).toBe(3));
