import { createHmac } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { forgetHand, tagFor } from "./hand";

beforeEach(() => localStorage.clear());

test("a tag is the same for one inbox, another for each other, and new after Forget me", async () => {
  const [one, again, other] = [await tagFor("one"), await tagFor("one"), await tagFor("other")];
  expect(one).toMatch(/^[\w-]{22}$/);
  expect(again).toBe(one);
  expect(other).not.toBe(one);
  const secret = localStorage.getItem("annon.hand") ?? "";
  expect(secret).toMatch(/^[\w-]{43}$/);
  const whole = createHmac("sha256", secret).update("one").digest();
  expect(one).toBe(whole.subarray(0, 16).toString("base64url"));
  forgetHand();
  expect(localStorage.length).toBe(0);
  expect(await tagFor("one")).not.toBe(one);
});
