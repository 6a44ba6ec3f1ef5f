import { readFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const DOCUMENT = new URL("../src/shared/wire/openapi.json", import.meta.url);
export const TYPES = new URL("../src/shared/wire/api.d.ts", import.meta.url);

const HEAD = "/* Generated from openapi.json by `npm run wire`. Changes made here are lost. */\n\n";

/**
 * The types of the API's document. Its operation ids are left out: they are names of handlers, and handlers in
 * different modules may have the same name, which would make two types of one name.
 */
export async function typesOfDocument() {
  const document = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    delete operation.operationId;
  }
  return HEAD + astToString(await openapiTS(document));
}
