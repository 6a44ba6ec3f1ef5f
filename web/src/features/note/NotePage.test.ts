import { expect, test } from "vitest";
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
