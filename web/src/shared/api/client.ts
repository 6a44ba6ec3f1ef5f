import type { Code } from "@/shared/contract/codes";
import { parsed } from "@/shared/json";

/** How the server refuses a call or a frame. `code` is missing if something else answered, such as a proxy. */
export type Refusal = {
  code?: Code;
  message: string;
  wait_seconds?: number | null;
  /** The work that is asked for, if it is refused for want of work. */
  shield?: { seed: string; bits: number };
};

export class ApiFailure extends Error {
  readonly status: number;
  readonly refusal: Refusal;

  constructor(status: number, refusal: Refusal = { message: "" }) {
    super(refusal.message);
    this.name = "ApiFailure";
    this.status = status;
    this.refusal = refusal;
  }
}

/** Whether it says nothing about what was asked for: no answer, too many calls, or an error of the server. */
export function isTrouble(failure: unknown): boolean {
  if (!(failure instanceof ApiFailure)) return true;
  return failure.status === 0 || failure.status === 429 || failure.status >= 500;
}

/** Whether the server refused a call with this code. */
export function isRefusedWith(failure: unknown, code: Code): boolean {
  return failure instanceof ApiFailure && failure.refusal.code === code;
}

/** Whether a call was refused because the sign-in has ended, for example in another tab. */
export function isSignedOut(failure: unknown): boolean {
  return isRefusedWith(failure, "signed_out");
}

/** Resolves to the body for statuses 200 to 299. For all others, and without an answer, throws an `ApiFailure`. */
export async function bodyOf<Body>(answer: Promise<Response>): Promise<Body> {
  const response = await answer.catch(() => {
    throw new ApiFailure(0);
  });

  // An answer that breaks off counts as none. One that is not JSON did not come from our server.
  const words = await response.text().catch(() => {
    throw new ApiFailure(0);
  });
  const body = parsed(words);
  if (!response.ok) throw new ApiFailure(response.status, refusalIn(body));
  return body as Body;
}

/** The refusal in the body of a failed call; without a code if something other than the server answered. */
export function refusalIn(body: unknown): Refusal {
  const isRefusal = typeof body === "object" && body !== null && "message" in body;
  return isRefusal && typeof body.message === "string" ? (body as Refusal) : { message: "" };
}
