// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TYPES, typesOfDocument } from "./generate.mjs";

test("the committed types are those of the committed document", async () => {
  expect(readFileSync(TYPES, "utf8"), "run `npm run wire`").toBe(await typesOfDocument());
});
