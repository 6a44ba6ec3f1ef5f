import type { createBrowserRouter } from "react-router-dom";

/** When the page that was asked for is loaded, or another that it led to, or why it can't be is known. */
export function initialized(router: ReturnType<typeof createBrowserRouter>): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const unsubscribe = router.subscribe((state) => {
      if (!state.initialized) return;
      unsubscribe();
      resolve();
    });
  });
}
