import { expect, test } from "vitest";
import { characters } from "@/shared/text/characters";
import { capped } from "@/shared/ui/TextArea";
import { checkNote } from "./validation";

test("a note has at least 10 characters, blanks around it not counted", () => {
  const tooShort = "Please Lengthen your message to more than 10 Characters";
  expect(checkNote("123456789")).toBe(tooShort);
  expect(checkNote("    12345    ")).toBe(tooShort);
  expect(checkNote("🦊".repeat(9))).toBe(tooShort);
  expect(checkNote("\u200b".repeat(20))).toBe(tooShort);
  expect(checkNote("1234567890")).toBeUndefined();
  expect(checkNote("🦊".repeat(10))).toBeUndefined();
});

test("the cap counts an emoji of one code point as one character and splits none", () => {
  expect(characters("🦊🦊")).toBe(2);
  expect(capped("🦊🦊🦊", 2)).toBe("🦊🦊");
  expect(capped("abc", 3)).toBe("abc");
});
