import type { Said } from "@/shared/api/client";
import type { Code } from "@/shared/contract/codes";
import document from "@/shared/wire/openapi.json" with { type: "json" };

const { enum: codes, "x-enum-descriptions": sentences } = document.components.schemas.Code;

/** The server's own sentences, by their codes. */
export const SENTENCES = new Map(codes.map((code, at) => [code as Code, sentences[at] ?? ""]));

/** What the server says with this code. */
export function saying(code: Code): Said {
  return { code, message: SENTENCES.get(code) ?? "" };
}
