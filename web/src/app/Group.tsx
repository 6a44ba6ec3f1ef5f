import { type ComponentType, useEffect, useState } from "react";
import { useStore } from "zustand";
import { ChatRoom } from "@/features/chat/ChatRoom";
import { noSeat } from "@/features/chat/connection/openRoom";
import type { Ending } from "@/features/chat/model/chat";
import type { Start } from "@/features/chat/model/transitions";
import { ChatScreen } from "@/features/chat/screen/ChatScreen";
import { keptFrom } from "@/features/site/pages/keptFrom";
import { paths } from "@/shared/contract/pages";
import { roomAt, roomPath } from "@/shared/links";
import { showNotice } from "@/shared/notices";
import { goTo, loadAgain, readdress } from "@/shared/overlays";
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
    const { room: of, unsent } = room.store.getState();
    if (ended === "lapsed") {
      // Without a seat only the newest link leads in.
      if (of.link === of.id) void loadAgain();
      // The address is the newest link already, and has the key of a sealed group.
      else if (of.key) window.location.reload();
      else void goTo(roomPath(of.link), { replace: true });
      return undefined;
    }
    const { to, notice } = afterwards(ended, start.amCreator && unsent === "");
    if (notice) showNotice(notice);
    const came = keptFrom({ room: of.link, name: of.name, unsent, key: of.key });
    void goTo(to, { replace: true, state: came });
    return undefined;
  }, [room, ended, start]);

  // What people copy from the address bar has to lead in, too.
  const { link, key } = useStore(room.store, (chat) => chat.room);
  useEffect(() => {
    // Who goes back quickly has left the group's address before the group is drawn.
    if (roomAt(window.location.pathname)) readdress(roomPath(link, key));
  }, [link, key]);

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
