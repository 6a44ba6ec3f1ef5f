import { useEffect, useEffectEvent } from "react";
import { LiveSocket, socketAddress } from "@/shared/live/LiveSocket";
import { token } from "@/shared/session/session";
import { knockText } from "@/shared/text/knockText";
import { KnockList } from "./KnockList";
import { forgetKnocks, hearKnocks, knocksAt, loadKnocks, useKnocks } from "./knocks";

type Props = {
  id: string;
  /** Newcomers knock now, or no longer. The creator may have changed that in another window. */
  onAsksFirst?: (isOn: boolean) => void;
};

/**
 * Who waits to be let in, for the creator: inside the group, and where it was just made. The account's socket tells of it, and not the group's: that
 * one has the seat's cookie, and nothing ties the two.
 */
export function KnocksInRoom({ id, onAsksFirst }: Props) {
  const knocks = useKnocks(knocksAt(id));
  const asksFirst = useKnocks((doors) => doors[id]?.asksFirst);
  const tell = useEffectEvent((isOn: boolean) => onAsksFirst?.(isOn));
  useEffect(() => {
    if (asksFirst !== undefined) tell(asksFirst);
  }, [asksFirst]);

  useEffect(() => {
    const socket = new LiveSocket(socketAddress("/api/inbox/socket"), ["bearer", token() ?? ""], {
      frame: (frame: { event?: string }) => {
        // Frames may have been lost until now.
        if (frame.event === "event.ready") void loadKnocks(id);
        else hearKnocks(frame);
      },
      lost: () => {},
      ended: () => {},
    });
    socket.start();
    return () => {
      socket.stop();
      forgetKnocks(id);
    };
  }, [id]);

  return (
    <section aria-label={knocks.length > 0 ? knockText.list.heading : undefined}>
      <KnockList waiting={knocks.map((knock) => ({ ...knock, id }))} />
    </section>
  );
}
