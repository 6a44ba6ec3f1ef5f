export type PageListener = {
  /** The page may have slept, or the network is back. */
  woke: () => void;
  offline: () => void;
  /** Shown or hidden. */
  looked: () => void;
};

/** What the browser says of the page and the network. */
export const browserPage = {
  // A browser that can't say counts as online.
  isOnline: () => navigator.onLine !== false,
  isVisible: () => document.visibilityState === "visible",
  /** Whether its window is the one that is used. */
  isFocused: () => document.hasFocus(),
  /** Gives back how to stop listening. */
  listen: ({ woke, offline, looked }: PageListener) => {
    const changed = () => {
      looked();
      if (document.visibilityState === "visible") woke();
    };
    window.addEventListener("online", woke);
    window.addEventListener("pageshow", woke);
    window.addEventListener("offline", offline);
    document.addEventListener("visibilitychange", changed);
    return () => {
      window.removeEventListener("online", woke);
      window.removeEventListener("pageshow", woke);
      window.removeEventListener("offline", offline);
      document.removeEventListener("visibilitychange", changed);
    };
  },
};
