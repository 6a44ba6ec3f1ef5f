import { redirect, replace } from "react-router-dom";

/**
 * Redirects from a loader to another page. A page that already has a history entry, because it is reloaded or was gone
 * back to, gives the entry up: otherwise going back would always redirect again.
 */
export function redirectTo(to: string, { url }: Request): Response {
  const { pathname, search } = new URL(url);
  const isHere = pathname === window.location.pathname && search === window.location.search;
  return (isHere ? replace : redirect)(to);
}
