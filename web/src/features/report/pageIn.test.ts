import { expect, test } from "vitest";
import { isConversation, pageIn } from "./pageIn";

const HOST = "annon.example:8080";

test.each([
  ["https://annon.example:8080/some-body", "/some-body"],
  ["HTTP://Annon.Example:8080/Some-Body/?view=others#x", "/Some-Body"],
  ["annon.example:8080/some-body/a/0193b0a0-7c5e", "/some-body/a/0193b0a0-7c5e"],
  ["  /some-body  ", "/some-body"],
  ["some-body", "/some-body"],
  ["/room/0193b0a0-7c5e-7000-8000-000000000000#key", "/room/0193b0a0-7c5e-7000-8000-000000000000"],
])("%s leads to a page", (typed, page) => {
  expect(pageIn(typed, HOST)).toBe(page);
});

test.each([
  "",
  " ",
  "/",
  "https://elsewhere.example/some-body",
  "https://annon.example:8080/",
  "some body",
  "a/b/c",
  "\u0000",
  "/c/AAAA#secret",
])("%j leads to no page that can be reported", (typed) => {
  expect(pageIn(typed, HOST)).toBe(undefined);
});

test("a private link is known as one", () => {
  expect(isConversation("https://annon.example:8080/c/AAAA#secret")).toBe(true);
  expect(isConversation("/some-body")).toBe(false);
});
