import type { LoaderFunctionArgs } from "react-router-dom";
import { api, type Schemas } from "@/shared/api/api";

/** Where a note goes, or why that is not known. */
export type Recipient =
  | { target: string; page: Schemas["Recipient"]; failure?: never }
  | { target?: never; page?: never; failure: unknown };

/** The loader of a personal page. The page is drawn before the answer is there: one can write until then. */
export function lookUp({ params: { username = "" } }: LoaderFunctionArgs) {
  return { recipient: lookUpRecipient(username) };
}

async function lookUpRecipient(username: string): Promise<Recipient> {
  try {
    const page = await api("get", "/api/annon/{username}", { params: { username } });
    return { target: page.message, page };
  } catch (failure) {
    return { failure };
  }
}
