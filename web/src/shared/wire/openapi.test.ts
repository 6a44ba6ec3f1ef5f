import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import document from "./openapi.json";

test("the server's description of its calls is valid OpenAPI", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect([valid, validator.version]).toEqual([true, "3.1"]);
});
