export type PageListener = {
  /** The page may have slept, or the network is back. */
  woke: () => void;
  offline: () => void;
  /** Shown or hidden. */
  looked: () => void;
};

/** What the browser says of the page and the network. */
export type Page = {
  isOnline: () => boolean;
  isVisible: () => boolean;
  /** Whether its window is the one that is used. */
  isFocused: () => boolean;
  /** Gives back how to stop listening. */
  listen: (listener: PageListener) => () => void;
};

export const browserPage: Page = {
  // A browser that can't say counts as online.
  isOnline: () => navigator.onLine !== false,
  isVisible: () => document.visibilityState === "visible",
  isFocused: () => document.hasFocus(),
  listen: ({ woke, offline, looked }) => {
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
