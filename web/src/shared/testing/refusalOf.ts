import type { Refusal } from "@/shared/api/client";
import type { Code } from "@/shared/contract/codes";

/** What the server says with this code. Nobody should read its sentence: the app has words of its own. */
export function refusalOf(code: Code): Refusal & { code: Code } {
  return { code, message: `The server's own words for ${code}` };
}
