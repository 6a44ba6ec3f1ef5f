import { hkdfSync } from "node:crypto";
import { expect, test } from "vitest";
import { keysOf, newSecret, proofOf } from "./secret";

/** Computed with Python's `hmac` and `hashlib`, by RFC 5869. */
test.each([
  [
    "AAECAwQFBgcICQoLDA0ODw",
    "cCx0aG6kmkSxJo1nC_Tevw",
    "M9c6vwaHDQdm0BNlUz7Lp1LFzjL_7C29IbFDweq8CJA",
    "GT-VfZzUa2lIzzl04XFBaKLiIs4WZosrAst2afjlxLE",
  ],
  [
    "_____________________w",
    "KIp5HU8Mm6XDQgTYmX8IaQ",
    "HMV8Y2Biu7jYUCYWzpRGCi-eLjsB86qZaLGbUPXYSIE",
    "xJUF03qNixPrWzrsbWdQw06YG0JdEr4YPAkvY35kNVU",
  ],
])("the secret %s gives these keys and this proof", async (secret, id, key, proof) => {
  const keys = await keysOf(secret);
  expect(keys).toEqual({ id, key });
  expect(await proofOf({ id, key })).toBe(proof);
});

test("every secret is new, and gives the keys that another implementation derives", async () => {
  const secrets = Array.from({ length: 20 }, newSecret);
  expect(new Set(secrets).size).toBe(20);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[\w-]{22}$/);
    const derived = (what: string, length: number) =>
      Buffer.from(
        hkdfSync("sha256", Buffer.from(secret, "base64url"), "", `annon conversation ${what}`, length),
      ).toString("base64url");
    expect(await keysOf(secret)).toEqual({ id: derived("id", 16), key: derived("key", 32) });
  }
});

test.each([
  "",
  "AAECAwQFBgcICQoLDA0OD",
  "AAECAwQFBgcICQoLDA0ODw8P",
  "AAECAwQFBgcICQoLDA0O/w",
  "%F0%9F%A6%8A",
])("%j is no secret", async (secret) => expect(await keysOf(secret)).toBeUndefined());
