import { useState } from "react";
import { roomLink } from "@/shared/links";
import { roomCalls } from "../../connection/roomCalls";
import { withSeats } from "../../model/transitions";
import { useRoom } from "../chatContext";

/** Without an answer in this time the link that is known is taken: whoever copies must not wait for a network. */
const ANSWERED_WITHIN_MS = 1500;

/**
 * The group's link as it is now: its creator may have given it a new one since this page was opened. It is asked for at
 * once; what it returns waits for the answer.
 */
export function useNewestLink(): () => Promise<string> {
  const { store } = useRoom();
  const [asked] = useState(() => {
    const patience = new Promise((resolve) => setTimeout(resolve, ANSWERED_WITHIN_MS));
    const answer = roomCalls(store.getState().room.id).page(1);
    const taken = answer.then((page) => store.setState((state) => withSeats(state, page)));
    return Promise.race([taken, patience]).catch(() => {});
  });

  return async () => {
    await asked;
    const { link, key } = store.getState().room;
    return roomLink(link, key);
  };
}
