import { useEffect } from "react";
import { create } from "zustand";
import { keptConversations, watchKept } from "./kept";
import { peek, type Standing } from "./peek";

/** How often an open page asks whether there is an answer. */
const LOOKS_EVERY_MS = 60_000;

type Standings = ReadonlyMap<string, Standing>;

const useStore = create<{ standings: Standings }>(() => ({ standings: new Map() }));

/** How the conversations stand that this device remembers. While this is in use, the server is asked now and then. */
export function useStandings(): Standings {
  useEffect(() => {
    users += 1;
    if (users === 1) begin();
    return () => {
      users -= 1;
      if (users === 0) end();
    };
  }, []);
  return useStore(({ standings }) => standings);
}

let users = 0;
let end = () => {};

function begin() {
  const look = () => {
    if (document.visibilityState !== "visible") return;
    // Without an answer the list shows what is on the device.
    peek(keptConversations()).then(
      (standings) => useStore.setState({ standings }),
      () => {},
    );
  };
  look();
  const timer = setInterval(look, LOOKS_EVERY_MS);
  document.addEventListener("visibilitychange", look);
  const unwatch = watchKept(look);
  end = () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
    unwatch();
  };
}
