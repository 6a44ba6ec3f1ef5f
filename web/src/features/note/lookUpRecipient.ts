import type { LoaderFunctionArgs } from "react-router-dom";
import { api } from "@/shared/api/api";

/**
 * Asks where a note to this person goes, while the page's code is being loaded. The page has the words for a failure,
 * so a failure is only handed to it.
 */
export async function lookUpRecipient({ params: { username = "" } }: LoaderFunctionArgs) {
  try {
    const { message } = await api("get", "/api/annon/{username}", { params: { username } });
    return { target: message };
  } catch (failure) {
    return { failure };
  }
}
