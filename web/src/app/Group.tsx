import { type ComponentType, useEffect, useState } from "react";
import { useStore } from "zustand";
import { ChatRoom } from "@/features/chat/ChatRoom";
import { noSeat } from "@/features/chat/connection/openRoom";
import type { Ending } from "@/features/chat/model/chat";
import type { Start } from "@/features/chat/model/transitions";
import { ChatScreen } from "@/features/chat/screen/ChatScreen";
import type { CameFrom } from "@/features/site/pages/cameFrom";
import { paths } from "@/shared/contract/pages";
import { showNotice } from "@/shared/notices";
import { goTo, loadAgain } from "@/shared/overlays";
import { token } from "@/shared/session/session";
import { nextTask } from "@/shared/tasks";
import { appText } from "@/shared/text/appText";

type KnocksProps = { id: string; onAsksFirst: (isOn: boolean) => void };

/** A group that its reader has a seat in, until it ends. */
export function Group({ start }: { start: Start }) {
  const [room] = useState(() => new ChatRoom(start));
  const ended = useStore(room.store, (chat) => chat.ended);

  useEffect(() => {
    if (!ended) return startedSoon(room);
    if (ended === "lapsed") {
      void loadAgain();
      return undefined;
    }
    const { room: of, unsent } = room.store.getState();
    const { to, notice } = afterwards(ended, start.amCreator && unsent === "");
    if (notice) showNotice(notice);
    const came: CameFrom = { room: of.id, name: of.name, unsent };
    void goTo(to, { replace: true, state: came });
    return undefined;
  }, [room, ended, start]);

  const home = token() === undefined ? paths.landing : `${paths.home}?tab=groups`;
  return (
    <ChatScreen home={home} room={room}>
      <Knocks room={room} />
    </ChatScreen>
  );
}

/** Who waits to be let in, and whether one waits at all, for the creator. Others never load it. */
function Knocks({ room }: { room: ChatRoom }) {
  const id = useStore(room.store, (chat) => chat.amCreator && chat.room.id);
  const [Loaded, setLoaded] = useState<ComponentType<KnocksProps>>();
  useEffect(() => {
    if (id) void import("@/features/knock/KnocksInRoom").then((found) => setLoaded(() => found.KnocksInRoom));
  }, [id]);
  return id && Loaded && <Loaded id={id} onAsksFirst={room.hearAskFirst} />;
}

/** Runs in a task after the one that draws the first lines, so that a slow phone can handle input in between. */
function startedSoon(room: ChatRoom): () => void {
  let isGone = false;
  void nextTask().then(() => {
    if (!isGone) room.start();
  });
  return () => {
    isGone = true;
    room.stop();
  };
}

/** The page that follows the end of the group, and its notice. Creators who delete a group know that they did. */
function afterwards(ended: Ending, goesHome: boolean): { to: string; notice?: string } {
  if (ended === "deleted" && goesHome) {
    return { to: `${paths.home}?tab=groups`, notice: appText.rooms.removal.done };
  }
  return { to: noSeat(ended) };
}
