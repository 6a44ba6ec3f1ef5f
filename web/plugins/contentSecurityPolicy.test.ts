// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CONTENT_SECURITY_POLICY } from "./contentSecurityPolicy.ts";

test("the preview has the server's content security policy", () => {
  const source = readFileSync(new URL("../../src/http/site.rs", import.meta.url), "utf8");
  const literal = source.match(/pub const CSP: &str = "([^"]+)"/)?.[1];
  // In Rust, a backslash at the end of a line takes the break and the blanks after it away.
  expect(CONTENT_SECURITY_POLICY).toBe(literal?.replace(/\\\n\s*/g, ""));
});
