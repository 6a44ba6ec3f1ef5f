import { useCallback, useEffect, useState } from "react";
import { isSignedOut } from "@/shared/api/client";
import { myRooms, type RoomItem } from "./myRooms";
import { useEndings } from "./useEndings";

const NONE: RoomItem[] = [];

/** One's own groups, as they are when one looks: they end by themselves, and are deleted from tabs of their own. */
export function useMyRooms(username: string, onFailure: (failure: unknown) => void) {
  const [rooms, setRooms] = useState<RoomItem[] | "offline">();

  const load = useCallback(async () => {
    const found = await myRooms(username);
    setRooms((shown) => (found === "offline" ? (shown ?? found) : found));
  }, [username]);

  useEffect(() => {
    load().catch(onFailure);
    const look = () => {
      if (document.visibilityState !== "visible") return;
      // A server in trouble takes nothing away that is there already.
      load().catch((failure: unknown) => isSignedOut(failure) && onFailure(failure));
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [load, onFailure]);

  const drop = useCallback(
    (gone: string) =>
      setRooms((shown) => (Array.isArray(shown) ? shown.filter(({ id }) => id !== gone) : shown)),
    [],
  );
  useEndings(Array.isArray(rooms) ? rooms : NONE, drop);

  return {
    rooms,
    retry: () => void load().catch(onFailure),
    drop,
  };
}
