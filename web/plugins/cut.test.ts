// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Cuts, idle, instead, never, skipped, slim } from "./cut.ts";
import { UNUSED as OF_REACT } from "./slimReact.ts";
import { UNUSED as OF_ROUTER } from "./slimRouter.ts";

const MODULES = new URL("../node_modules/", import.meta.url);

/** Fails when an update of the library renames what is taken out; it would come back into the bundle in silence. */
stillInstalled("React's renderer", OF_REACT, source("react-dom/cjs/", "react-dom-client.production.js"));
stillInstalled("React Router", OF_ROUTER, source("react-router/dist/development/", ".mjs"));

function stillInstalled(library: string, cuts: Cuts, code: string) {
  test.each(Object.entries(cuts))(`${library} as installed still has: %s`, (_, places) => {
    for (const { pattern } of places) expect(code.search(pattern), String(pattern)).not.toBe(-1);
  });
}

function source(folder: string, ending: string): string {
  const files = readdirSync(new URL(folder, MODULES)).filter((file) => file.endsWith(ending));
  return files.map((file) => readFileSync(new URL(folder + file, MODULES), "utf8")).join("\n");
}

test("a function is replaced as a whole, wherever it stands and however its arguments are written", () => {
  const code = [
    "function outer(a) {",
    "  async function inner({",
    "    b,",
    "    c",
    "  }) {",
    "    if (b) {",
    "      return c;",
    "    }",
    "  }",
    "  return inner;",
    "}",
    "function other(",
    "  a,",
    "  b",
    ") {",
    "  return a + b;",
    "}",
    "function another() {",
    "  return 1;",
    "}",
  ].join("\n");
  const cut = slim(code, { all: [instead("inner", "return 2;"), idle("other", "null")] });
  expect(cut).toBe(
    [
      "function outer(a) {",
      "  async function inner({",
      "    b,",
      "    c",
      "  }) {return 2;}",
      "  return inner;",
      "}",
      "/* @__NO_SIDE_EFFECTS__ */ function other(",
      "  a,",
      "  b",
      ") {return null;}",
      "function another() {",
      "  return 1;",
      "}",
    ].join("\n"),
  );
});

test("conditions and statements are switched off where they stand", () => {
  const cuts = { all: [never(/\bhasNews\b/g), skipped(/^ *news\.forEach\(/gm)] };
  expect(slim("if (hasNews && b) a();\n  news.forEach(tell);", cuts)).toBe(
    "if (false && b) a();\nfalse &&   news.forEach(tell);",
  );
});
