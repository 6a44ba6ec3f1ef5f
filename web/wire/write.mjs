/** `npm run wire`: writes the API's types. */
import { writeFileSync } from "node:fs";
import { TYPES, typesOfDocument } from "./generate.mjs";

writeFileSync(TYPES, await typesOfDocument());
