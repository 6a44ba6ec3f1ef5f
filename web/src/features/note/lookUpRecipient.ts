import type { LoaderFunctionArgs } from "react-router-dom";
import { api } from "@/shared/api/api";

/** Where a note goes, or why that is not known. */
export type Recipient = { target: string; failure?: never } | { target?: never; failure: unknown };

/** The loader of a personal page. The page is drawn before the answer is there: one can write until then. */
export function lookUp({ params: { username = "" } }: LoaderFunctionArgs) {
  return { recipient: lookUpRecipient(username) };
}

async function lookUpRecipient(username: string): Promise<Recipient> {
  try {
    const { message } = await api("get", "/api/annon/{username}", { params: { username } });
    return { target: message };
  } catch (failure) {
    return { failure };
  }
}
