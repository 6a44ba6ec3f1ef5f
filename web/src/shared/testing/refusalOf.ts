import type { Refusal } from "@/shared/api/client";
import type { Code } from "@/shared/contract/codes";

/** A refusal with this code. Its sentence must never be shown: the app has its own words. */
export function refusalOf(code: Code): Refusal & { code: Code } {
  return { code, message: `The server's own words for ${code}` };
}
