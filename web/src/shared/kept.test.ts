import { afterEach, expect, test } from "vitest";
import { type Row, rowsOf } from "./kept";

const { dataset } = document.documentElement;

afterEach(() => {
  delete dataset.notesKept;
  delete dataset.eventsKept;
});

const ROWS: Row[] = [
  ["always", ""],
  ["limited", "{days} days", "notes"],
  ["not limited", "", "no-notes"],
  ["log", "", "events"],
  ["endless log", "", "endless-events"],
];

test("only what the operator has set is in the table", () => {
  const shown = () => rowsOf(ROWS).map(([what]) => what);
  expect(shown()).toEqual(["always", "not limited"]);
  dataset.notesKept = "90";
  dataset.eventsKept = "endless";
  expect(shown()).toEqual(["always", "limited", "endless log"]);
  expect(rowsOf(ROWS)[1]?.[1]).toBe("90 days");
  dataset.eventsKept = "7";
  expect(shown()).toEqual(["always", "limited", "log"]);
});
