import { lazy, Suspense, useEffect, useState } from "react";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router-dom";
import { useStore } from "zustand";
import { ConversationScreen } from "@/features/chat/conversation/ConversationScreen";
import {
  leaveNothing,
  type OpenedConversation,
  openConversation,
  roomOf,
} from "@/features/chat/conversation/openConversation";
import type { Side } from "@/features/chat/model/pair";
import { ChatFrame } from "@/features/chat/screen/ChatFrame";
import { NoticePage } from "@/features/site/pages/NoticePage";
import { SiteFooter } from "@/features/site/SiteFooter";
import { SiteHeader } from "@/features/site/SiteHeader";
import { hasLeft } from "@/shared/api/hasLeft";
import { paths } from "@/shared/contract/pages";
import { signInAgain } from "@/shared/session/signInAgain";
import { conversationText } from "@/shared/text/conversationText";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/links";
import { Unsent } from "@/shared/ui/Unsent";
import { Frame } from "../Frame";
import { Trouble } from "../Trouble";
import type { PageHandle } from "../usePageTitle";

/** Only sealed conversations need it. */
const LockedTalk = lazy(async () => ({
  default: (await import("@/features/chat/conversation/sealing/LockedTalk")).LockedTalk,
}));

let loads = 0;

/** With whom the last opened conversation is. */
let name: string | undefined;

/** As the conversation's header writes it; here for when that is drawn first. */
export const handle: PageHandle = { title: () => name ?? conversationText.page.title };

/** The secret stands behind the "#", which the router's request doesn't have. A link inside the app has none. */
export async function loader({ params: { id = "" }, request }: LoaderFunctionArgs) {
  const { hash, pathname } = window.location;
  const isHere = new URL(request.url).pathname === pathname;
  const opened = await openConversation(id, isHere ? hash : "");
  loads += 1;
  name = opened.kind === "conversation" ? opened.start.data.name : undefined;
  return { ...opened, load: loads };
}

export const HydrateFallback = () => (
  <ChatFrame title={conversationText.page.title} why="conversation" withPhoto={false} />
);

export function Component() {
  const opened = useLoaderData() as Awaited<ReturnType<typeof loader>>;
  if (opened.kind === "conversation") return <Conversation key={opened.load} opened={opened} />;
  if (opened.kind === "locked") return <Locked to={opened.to} why={opened.why} />;
  if (opened.kind === "trouble") return <Trouble heading={conversationText.page.trouble} why={opened.why} />;
  return <NoConversation why={opened.kind} />;
}

type Opened = Extract<OpenedConversation, { kind: "conversation" }>;

function Conversation({ opened }: { opened: Opened }) {
  const [room] = useState(() => roomOf(opened, signInAgain));
  const ended = useStore(room.store, (chat) => chat.ended);
  const { unsent, pair } = useStore(room.store);
  const isOwner = opened.access.token !== undefined;
  const home = isOwner ? `${paths.home}?tab=inbox` : paths.landing;
  const { id } = opened.start.data;

  useEffect(() => {
    if (ended) leaveNothing(id);
    else room.start();
    return room.stop;
  }, [room, ended, id]);

  if (ended === "deleted") return <NoConversation home={home} why="ended" />;
  if (ended)
    return <EndedByOther home={home} side={pair?.side ?? "sender"} to={pair?.to ?? ""} unsent={unsent} />;
  return <ConversationScreen home={home} room={room} secret={opened.secret} />;
}

/** It is sealed, and can't be opened here: by its owner; or it should be sealed (`open`), as its sender's device knows. */
function Locked({ to, why }: Pick<Extract<OpenedConversation, { kind: "locked" }>, "to" | "why">) {
  const { revalidate } = useRevalidator();
  return (
    <Frame footer={<SiteFooter />} header={<SiteHeader />}>
      <Suspense>
        <LockedTalk onClose={() => void revalidate()} to={to} why={why}>
          {(words, more) => (
            <NoticePage {...words} emoji={EMOJIS.keyless}>
              {more}
              <ToHome home={why === "open" ? paths.landing : `${paths.home}?tab=inbox`} kind="plain" />
            </NoticePage>
          )}
        </LockedTalk>
      </Suspense>
    </Frame>
  );
}

type EndedProps = { home: string; side: Side; to: string; unsent: string };

/** It was open on this page, and the other side has ended it. A sender can find out whether the owner is still there. */
function EndedByOther({ home, side, to, unsent }: EndedProps) {
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    if (side === "sender") void hasLeft(to).then(setGone);
  }, [side, to]);
  const { heading, body } = conversationText.page.endedByOther;
  const why = isGone ? "left" : side;
  return (
    <Frame footer={<SiteFooter />} header={<SiteHeader />}>
      <NoticePage body={body[why](to)} emoji={EMOJIS.ended} heading={heading}>
        {unsent !== "" && <Unsent words={unsent} />}
        <ToHome home={home} kind="hot" />
      </NoticePage>
    </Frame>
  );
}

function ToHome({ home, kind }: { home: string; kind: "hot" | "plain" }) {
  return (
    <ButtonLink kind={kind} to={home}>
      {home === paths.landing ? text.actions.toStart : text.actions.toInbox}
    </ButtonLink>
  );
}

const EMOJIS = { gone: "🍃", keyless: "🗝️", ended: "👋" };

/** Why there is nothing to see, as far as anybody can tell. `ended`: on this page, just now. */
function NoConversation({ why, home = paths.landing }: { why: keyof typeof EMOJIS; home?: string }) {
  const words = conversationText.page[why];
  const isKeyless = why === "keyless";
  return (
    <Frame footer={<SiteFooter />} header={<SiteHeader />}>
      <NoticePage body={words.body} emoji={EMOJIS[why]} heading={words.heading}>
        {isKeyless && (
          <ButtonLink kind="hot" state={{ from: window.location.pathname }} to={paths.login}>
            {text.actions.signIn}
          </ButtonLink>
        )}
        <ToHome home={home} kind={isKeyless ? "plain" : "hot"} />
      </NoticePage>
    </Frame>
  );
}
