import { lazy, Suspense, useEffect, useState } from "react";

const NoticesHost = lazy(async () => ({
  default: (await import("@/shared/ui/overlay/NoticesHost")).NoticesHost,
}));

/** Pages do not wait until the host of their notices is loaded; a notice that came before is shown then. */
export function Notices() {
  // React can't take over a portal, which the host is, so the host comes after the page.
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  return <Suspense>{isDrawn && <NoticesHost />}</Suspense>;
}
