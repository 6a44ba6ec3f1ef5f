import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cookieNames, readCookies, writeCookie } from "./cookies";
import { forgetShared, keepShared, readShared } from "./shares";

const PAD = "annon.pad.one";

const keep = (value: string, name = "one") => keepShared(name, value, 7200, 64);
const read = () => readShared("one");
const share = (name = "one") => readCookies(name)[0] ?? "";

const pads = () => Object.keys(localStorage).filter((key) => key.startsWith("annon.pad."));

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  for (const name of cookieNames()) writeCookie(name, "", 0);
});

afterEach(() => {
  vi.useRealTimers();
  forgetShared("one");
});

test("a value comes back whole, whatever is in it", () => {
  for (const value of ["a", "", "ä🦊;=\u0000", "x".repeat(2000)]) {
    expect(keep(value)).toBe("kept");
    expect(read()).toBe(value);
  }
});

test("each cookie has new random bits, and a length that says little about the value", () => {
  const shares = new Set<string>();
  for (let at = 0; at < 20; at += 1) {
    keep("x".repeat(at));
    shares.add(share());
  }
  expect(shares.size).toBe(20);
  expect(new Set([...shares].map((one) => one.length))).toEqual(new Set([86]));
});

test("a share fits into a cookie, also one of a long token", () => {
  keepShared("one", "x".repeat(2500), 7200, 512);
  expect(share().length).toBeLessThan(4096);
});

test("no bit of the value is in either share alone", () => {
  const zeros = "\u0000".repeat(50);
  let ones = 0;
  for (let at = 0; at < 100; at += 1) {
    keep(zeros);
    for (const sign of atob(share().replaceAll("-", "+").replaceAll("_", "/"))) {
      ones += sign.charCodeAt(0).toString(2).replaceAll("0", "").length;
    }
  }
  // Half of the 51,200 bits are ones. The tolerance is about ten standard deviations.
  expect(Math.abs(ones - 25_600)).toBeLessThan(1_200);
});

test.each([
  ["without its pad", () => localStorage.removeItem(PAD)],
  ["with another's pad", () => localStorage.setItem(PAD, "A".repeat(86))],
  ["with a pad that is cut", () => localStorage.setItem(PAD, (localStorage.getItem(PAD) ?? "").slice(0, 60))],
  ["with a pad that is none", () => localStorage.setItem(PAD, "{}")],
  ["when it was changed", () => writeCookie("one", `${share().slice(0, -6)}AAAAAA`, 60)],
])("a share %s is worth nothing, and both go", (_, happens) => {
  keep("value");
  happens();
  expect(read()).toBeUndefined();
  vi.advanceTimersByTime(1000);
  expect(readCookies("one")).toEqual([]);
  expect(localStorage.getItem(PAD)).toBeNull();
});

test("a pair that another tab is about to complete is left to it", () => {
  keep("first");
  const [first, pad] = [share(), localStorage.getItem(PAD) ?? ""];
  keep("second");
  localStorage.setItem(PAD, pad);
  expect(read()).toBeUndefined();
  writeCookie("one", first, 60);
  vi.advanceTimersByTime(1000);
  expect(read()).toBe("first");
});

test("after the cookie has expired, its pad is deleted when it is read, or when anything is kept", () => {
  keep("value");
  writeCookie("one", "", 0);
  expect(read()).toBeUndefined();
  expect(pads()).toEqual([]);
  keep("value");
  writeCookie("one", "", 0);
  keep("other", "two");
  expect(pads()).toEqual(["annon.pad.two"]);
});

test("where storage is blocked it holds for this page, where cookies are it is not kept at all", () => {
  vi.spyOn(globalThis, "localStorage", "get").mockImplementation(() => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  });
  expect(keep("value")).toBe("for this page");
  expect(read()).toBe("value");
  forgetShared("one");
  expect(read()).toBeUndefined();
  vi.restoreAllMocks();
  vi.spyOn(document, "cookie", "set").mockImplementation(() => {});
  expect(keep("value")).toBe("not kept");
  expect(pads()).toEqual([]);
});
