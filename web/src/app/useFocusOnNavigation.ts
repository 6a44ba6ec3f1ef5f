import { useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";

/**
 * Puts the focus on the page's main landmark after a navigation inside the app, as a browser does on a page load:
 * otherwise it stays on a link that may be gone, and a screen reader says nothing.
 */
export function useFocusOnNavigation() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [pathname]);
}
