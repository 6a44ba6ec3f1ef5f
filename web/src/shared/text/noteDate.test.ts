import { expect, test } from "vitest";
import { noteDate } from "./noteDate";

test("the pair is split into a date and a time, read as UTC", () => {
  const { date, time, machine } = noteDate("2026-03-01 21:05:09");
  expect(machine).toBe("2026-03-01T21:05:09Z");
  const local = new Date(machine);
  expect(date).toContain(String(local.getFullYear()));
  expect(time).toContain(String(local.getMinutes()).padStart(2, "0"));
});

test("words that aren't a date are shown unchanged", () => {
  expect(noteDate("soon enough")).toEqual({ date: "soon", time: "enough", machine: "" });
});
