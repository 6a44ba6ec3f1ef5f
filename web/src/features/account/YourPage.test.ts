import { expect, test } from "vitest";
import { checkPage } from "./YourPage";

const empty = { line: "", first: "", second: "", third: "" };

test("a line and each prompt have at most 80 characters, blanks around them not counted", () => {
  const long = "🦊".repeat(80);
  expect(checkPage(empty)).toEqual({});
  expect(checkPage({ ...empty, line: ` ${long} `, third: long })).toEqual({});
  expect(checkPage({ ...empty, line: `${long}!` })).toEqual({
    line: "Please shorten the line about you to 80 characters",
  });
  expect(checkPage({ ...empty, second: `${long}!` })).toEqual({
    second: "Please shorten each prompt to 80 characters",
  });
});
