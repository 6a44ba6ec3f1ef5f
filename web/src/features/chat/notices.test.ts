import { expect, test } from "vitest";
import { changeIn } from "./notices";

test("what a notice says of seats and of the door", () => {
  expect(changeIn("🦊 joined")).toEqual({ face: "🦊", became: "joined" });
  expect(changeIn("⭐ left")).toEqual({ face: "⭐", became: "left" });
  expect(changeIn("🐼 was removed")).toEqual({ face: "🐼", became: "removed" });
  expect(changeIn("The group is locked: nobody new can join")).toEqual({ locked: true });
  expect(changeIn("The group is open again")).toEqual({ locked: false });
  expect(changeIn("Something a newer server says")).toBeUndefined();
});
