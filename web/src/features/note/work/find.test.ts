import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { encoded } from "@/shared/base64url";
import { Search } from "./find";
import { Block } from "./sha256";

test.each([0, 1, 33, 54, 55])("the digest of %i bytes is that of others", (length) => {
  const text = Uint8Array.from({ length }, (_, at) => (at * 37 + length) % 256);
  const digest = [...new Block(text).digest()].map((word) => (word >>> 0).toString(16).padStart(8, "0"));
  expect(digest.join("")).toBe(createHash("sha256").update(text).digest("hex"));
});

test("what has more than one block is no text for it", () => {
  expect(() => new Block(new Uint8Array(56))).toThrow(RangeError);
});

test.each([1, 8, 12])("a nonce is found with which the digest begins with %i zero bits", (bits) => {
  const seed = Uint8Array.from({ length: 25 }, (_, at) => at * 9 + bits);
  const search = new Search(encoded(seed), bits);
  let nonce: string | undefined;
  while (nonce === undefined) nonce = search.tryMore(100);
  expect(nonce).toMatch(/^[\w-]{11}$/);
  const text = Buffer.concat([seed, Buffer.from(nonce, "base64url")]);
  const digest = createHash("sha256").update(text).digest();
  expect(digest.readUInt32BE(0) >>> (32 - bits)).toBe(0);
});
