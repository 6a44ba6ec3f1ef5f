import { type ComponentType, useEffect, useState } from "react";
import { type LoaderFunctionArgs, useLoaderData, useNavigate, useRevalidator } from "react-router-dom";
import { useStore } from "zustand";
import { ChatRoom } from "@/features/chat/ChatRoom";
import { noSeat, openRoom } from "@/features/chat/connection/openRoom";
import type { Ending } from "@/features/chat/model/chat";
import type { Start } from "@/features/chat/model/transitions";
import { ChatFrame } from "@/features/chat/screen/ChatFrame";
import { ChatScreen } from "@/features/chat/screen/ChatScreen";
import { PlainHeader } from "@/features/site/PlainHeader";
import type { CameFrom } from "@/features/site/pages/cameFrom";
import { MissingPage } from "@/features/site/pages/MissingPage";
import { SiteFooter } from "@/features/site/SiteFooter";
import { SiteHeader } from "@/features/site/SiteHeader";
import { paths } from "@/shared/contract/pages";
import { keptName } from "@/shared/keptRooms";
import { isRoomId } from "@/shared/links";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { nextTask } from "@/shared/tasks";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { text } from "@/shared/text/text";
import { Frame } from "../Frame";
import { Trouble } from "../Trouble";
import type { PageHandle } from "../usePageTitle";

type KnocksProps = { id: string; onAsksFirst: (isOn: boolean) => void };

/** The room that was loaded last. The tab shows its name. */
let name: string | undefined;

let loads = 0;

export const handle: PageHandle = { title: () => name ?? chatText.screen.title };

/** Takes a seat and fetches the messages. Without a seat another page says why. */
export async function loader({ params: { roomId = "" } }: LoaderFunctionArgs) {
  // The device forgets a room that is over.
  const known = keptName(roomId);
  // The link is mistyped: nobody is asked for it.
  const opened = isRoomId(roomId) ? await openRoom(roomId) : ({ kind: "missing" } as const);
  name = opened.kind === "room" ? opened.start.data.name : undefined;
  if (opened.kind === "door") name = opened.room.name;
  if (opened.kind === "missing") name = text.missing.heading;
  loads += 1;
  return { ...opened, load: loads, came: { room: roomId, name: known } satisfies CameFrom };
}

export const HydrateFallback = () => <ChatFrame />;

export function Component() {
  const opened = useLoaderData<typeof loader>();
  // The loader takes another seat, or says why there is none.
  const { revalidate } = useRevalidator();

  if (opened.kind === "missing") {
    return (
      <Frame footer={<SiteFooter />} header={<SiteHeader />}>
        <MissingPage />
      </Frame>
    );
  }
  if (opened.kind === "elsewhere") {
    return <Elsewhere came={opened.came} key={opened.load} to={opened.to} />;
  }
  if (opened.kind === "trouble") return <Trouble heading={chatText.screen.trouble} why={opened.why} />;
  if (opened.kind === "door") {
    return (
      <Frame header={<PlainHeader />}>
        <opened.Door key={opened.load} onLookAgain={revalidate} room={opened.room} />
      </Frame>
    );
  }
  return <Room key={opened.load} onLapsed={revalidate} start={opened.start} />;
}

/** Leads to the page that says why there is no seat. */
function Elsewhere({ came, to }: { came: CameFrom; to: string }) {
  const navigate = useNavigate();
  useEffect(() => void navigate(to, { replace: true, state: came }), [navigate, to, came]);
  return <HydrateFallback />;
}

function Room({ start, onLapsed }: { start: Start; onLapsed: () => void }) {
  const [room] = useState(() => new ChatRoom(start));
  const ended = useStore(room.store, (chat) => chat.ended);
  const navigate = useNavigate();

  useEffect(() => {
    if (!ended) return startedSoon(room);
    if (ended === "lapsed") {
      onLapsed();
      return undefined;
    }
    const { room: of, unsent } = room.store.getState();
    const { to, notice } = afterwards(ended, start.amCreator && unsent === "");
    if (notice) showNotice(notice);
    const came: CameFrom = { room: of.id, name: of.name, unsent };
    navigate(to, { replace: true, state: came });
    return undefined;
  }, [room, ended, start, navigate, onLapsed]);

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
