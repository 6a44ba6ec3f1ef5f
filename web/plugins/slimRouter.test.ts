// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { UNUSED } from "./slimRouter.ts";

const BUILD = new URL("../node_modules/react-router/dist/development/", import.meta.url);

/** Fails when an update of React Router renames what is taken out; it would come back into the bundle in silence. */
test("the installed React Router still holds everything the plugin takes out", () => {
  const code = readdirSync(BUILD)
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => readFileSync(new URL(file, BUILD), "utf8"))
    .join("\n");
  for (const { pattern } of UNUSED) expect(code).toMatch(pattern);
});
