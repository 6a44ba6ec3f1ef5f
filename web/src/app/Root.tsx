import { Outlet, ScrollRestoration } from "react-router-dom";
import { useFocusOnNavigation } from "./useFocusOnNavigation";
import { usePageTitle } from "./usePageTitle";

/** What every page has, whichever frame it is in. */
export function Root() {
  usePageTitle();
  useFocusOnNavigation();
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  );
}
