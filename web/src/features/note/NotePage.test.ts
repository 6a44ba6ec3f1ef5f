import { expect, test } from "vitest";
import { capped, characters } from "@/shared/text/characters";
import { checkNote } from "./NotePage";

test("a note has at least 10 characters, blanks around it not counted", () => {
  const tooShort = "Please Lengthen your message to more than 10 Characters";
  expect(checkNote({ message: "123456789" })).toEqual({ message: tooShort });
  expect(checkNote({ message: "    12345    " })).toEqual({ message: tooShort });
  expect(checkNote({ message: "🦊".repeat(9) })).toEqual({ message: tooShort });
  expect(checkNote({ message: "\u200b".repeat(20) })).toEqual({ message: tooShort });
  expect(checkNote({ message: "1234567890" })).toEqual({});
  expect(checkNote({ message: "🦊".repeat(10) })).toEqual({});
});

test("the cap counts an emoji of one code point as one character and splits none", () => {
  expect(characters("🦊🦊")).toBe(2);
  expect(capped("🦊🦊🦊", 2)).toBe("🦊🦊");
  expect(capped("abc", 3)).toBe("abc");
});
