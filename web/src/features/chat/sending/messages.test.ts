import { expect, test } from "vitest";
import { newId } from "../environment";
import { sendFrame, tidy } from "./messages";

test("words are tidied as the server does", () => {
  expect(tidy("  a\r\nb\rc\t\u0000\u001b[1m \n")).toBe("a\nb\nc\t[1m");
  expect(tidy(" \n\t ")).toBe("");
  expect(tidy("\u200b\u3164 \u2800")).toBe("");
  expect(tidy("👩‍👩‍👧‍👦❤️")).toBe("👩‍👩‍👧‍👦❤️");
});

test("the time of a message goes out without its seconds", () => {
  const at = Date.UTC(2026, 0, 1, 10, 20, 59, 500);
  const { time } = sendFrame("🦊", { id: "a", words: "hello", picture: null, reply: null, at });
  expect(time).toBe("10:20:00.000");
});

test("ids are 15 of 62 letters and digits, each as likely as the others", () => {
  const all = Array.from({ length: 2000 }, () => newId());
  for (const id of all) expect(id).toMatch(/^[A-Za-z0-9]{15}$/);
  expect(new Set(all).size).toBe(all.length);
  const counts = new Map<string, number>();
  for (const letter of all.join("")) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // On average there are 484 of each character.
  for (const count of counts.values()) expect(count).toBeGreaterThan(350);
});
