import { redirect, replace } from "react-router-dom";

/**
 * Leads from a loader to another page. A page that has its history entry already, because it is loaded anew or was
 * come back to, gives it up: kept, it would lead to that other page again, and nobody could go back beyond it.
 */
export function leadTo(to: string, { url }: Request): Response {
  const { pathname, search } = new URL(url);
  const isHere = pathname === window.location.pathname && search === window.location.search;
  return (isHere ? replace : redirect)(to);
}
