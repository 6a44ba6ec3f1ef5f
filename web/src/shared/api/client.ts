import type { Code } from "@/shared/contract/codes";
import { parsed } from "@/shared/json";

/** What the server says of a call or a frame. There is no code where something else answered. */
export type Refusal = { code?: Code; message: string; wait_seconds?: number | null };

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

/** No answer, too many questions, or a server that has trouble itself: it says nothing of what was asked for. */
export function isTrouble(failure: unknown): boolean {
  if (!(failure instanceof ApiFailure)) return true;
  return failure.status === 0 || failure.status === 429 || failure.status >= 500;
}

/** Whether a call was refused because nobody is signed in any more: another tab may have signed out. */
export function isSignedOut(failure: unknown): boolean {
  return failure instanceof ApiFailure && failure.refusal.code === "signed_out";
}

/** Statuses 200 to 299 give the body; everything else, also no answer at all, is an `ApiFailure`. */
export async function bodyOf<Body>(answer: Promise<Response>): Promise<Body> {
  const response = await answer.catch(() => {
    throw new ApiFailure(0);
  });

  // An answer that breaks off is no answer; one that isn't JSON is somebody else's.
  const words = await response.text().catch(() => {
    throw new ApiFailure(0);
  });
  const body = parsed(words);
  if (!response.ok) throw new ApiFailure(response.status, refusalIn(body));
  return body as Body;
}

/** The code of a failed call; none when something other than the server answered. */
export function refusalIn(body: unknown): Refusal {
  const isRefusal = typeof body === "object" && body !== null && "message" in body;
  return isRefusal && typeof body.message === "string" ? (body as Refusal) : { message: "" };
}
