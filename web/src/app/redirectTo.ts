import { redirect, replace } from "react-router-dom";

/**
 * Redirects from a loader to another page. If the page already has a history entry (after a reload, or going back), the
 * other page replaces that entry: otherwise going back would redirect again and again.
 */
export function redirectTo(to: string, { url }: Request): Response {
  const { pathname, search } = new URL(url);
  const isHere = pathname === window.location.pathname && search === window.location.search;
  return (isHere ? replace : redirect)(to);
}
