import { lazy, Suspense } from "react";
import { Outlet } from "react-router-dom";

const NoticesHost = lazy(async () => ({ default: (await import("@/shared/ui/NoticesHost")).NoticesHost }));

/**
 * One frame for all pages that give notices, so that a notice outlives the page that gave it. No page waits for the
 * host: what is said before it is there is shown when it comes.
 */
export function NoticesLayout() {
  return (
    <>
      <Outlet />
      <Suspense>
        <NoticesHost />
      </Suspense>
    </>
  );
}
