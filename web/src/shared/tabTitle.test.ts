import { expect, test } from "vitest";
import { nameTab } from "./tabTitle";

function named(name: string, unread?: number, mentioned?: boolean): string {
  nameTab(name, unread, mentioned);
  return document.title;
}

test("a tab says what is shown, where, and how much of it is new", () => {
  expect(named("tacos")).toBe("tacos · Annon");
  expect(named("tacos", 0)).toBe("tacos · Annon");
  expect(named("Inbox", 3)).toBe("(3) Inbox · Annon");
  expect(named("Inbox", 100)).toBe("(99+) Inbox · Annon");
  expect(named("tacos", 3, true)).toBe("(@3) tacos · Annon");
  expect(named("Annon: anonymous notes")).toBe("Annon: anonymous notes");
});
