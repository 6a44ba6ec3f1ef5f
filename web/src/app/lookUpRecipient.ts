import type { LoaderFunctionArgs } from "react-router-dom";
import type { Wire } from "@/shared/api/api";
import { call } from "@/shared/api/client";

/**
 * Asks where a note to this person goes, while the page's code is still on its way. What went wrong is put into words
 * by the page, which has them.
 */
export async function lookUpRecipient({ params: { username = "" } }: LoaderFunctionArgs) {
  try {
    const { message } = await call<Wire["Target"]>(`/annon/${encodeURIComponent(username)}`);
    return { target: message };
  } catch (failure) {
    return { failure };
  }
}
