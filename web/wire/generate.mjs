import { readFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const DOCUMENT = new URL("../src/shared/wire/openapi.json", import.meta.url);
export const TYPES = new URL("../src/shared/wire/api.d.ts", import.meta.url);

const HEAD = "/* Generated from openapi.json by `npm run wire`. Changes made here are lost. */\n\n";

/**
 * The types of the API's document. Its operation ids are left out: they are names of handlers, two of which may be
 * called the same in different modules, and a type that exists twice is neither of the two.
 */
export async function typesOfDocument() {
  const document = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    delete operation.operationId;
  }
  return HEAD + astToString(await openapiTS(document));
}
