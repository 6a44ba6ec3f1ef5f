export type PageListener = {
  /** The page may have slept, or the network is back. */
  woke: () => void;
  offline: () => void;
  looked: () => void;
};

/** What the browser says of the page and the network. */
export const browserPage = {
  // A browser that can't say counts as online.
  isOnline: () => navigator.onLine !== false,
  isVisible: () => document.visibilityState === "visible",
  isFocused: () => document.hasFocus(),
  listen: ({ woke, offline, looked }: PageListener) => {
    const listening = new AbortController();
    const { signal } = listening;
    const changed = () => {
      looked();
      if (document.visibilityState === "visible") woke();
    };
    window.addEventListener("online", woke, { signal });
    window.addEventListener("pageshow", woke, { signal });
    window.addEventListener("offline", offline, { signal });
    document.addEventListener("visibilitychange", changed, { signal });
    return () => listening.abort();
  },
};
