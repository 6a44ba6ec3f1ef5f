import { useEffect, useState } from "react";
import { api } from "@/shared/api/api";

/** How often a full group is asked whether a seat is free. */
const LOOKS_EVERY_MS = 10_000;

type Outside = { name?: string | undefined; creator?: string; hasSeat?: boolean };

/**
 * What somebody without a seat can know of a group: its name, its creator and, if `waits`, whether a seat is free.
 * Without an answer nothing more is known than before. The page asks as long as it is visible.
 */
export function useOutside(room: string | undefined, known: string | undefined, waits: boolean): Outside {
  const [found, setFound] = useState<Outside>({});

  useEffect(() => {
    if (room === undefined) return;
    api("get", "/api/room/{id}", { params: { id: room } }).then(
      ({ data: { name, creator } }) => setFound((before) => ({ ...before, name, creator })),
      () => {},
    );
  }, [room]);

  useEffect(() => {
    if (room === undefined || !waits) return undefined;
    const look = () => {
      if (document.visibilityState !== "visible") return;
      api("get", "/api/room/valid/{id}", { params: { id: room } }).then(
        ({ free_seats }) => setFound((before) => ({ ...before, hasSeat: free_seats > 0 })),
        () => {},
      );
    };
    look();
    const timer = setInterval(look, LOOKS_EVERY_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [room, waits]);

  return { ...found, name: found.name ?? known };
}
