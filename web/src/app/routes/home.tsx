import { useEffect, useState } from "react";
import { useLoaderData, useLocation } from "react-router-dom";
import { AccountNotices } from "@/features/home/AccountNotices";
import { HomeCards } from "@/features/home/HomeCards";
import { HomeTabs, tabOf } from "@/features/home/HomeTabs";
import { LinkCard } from "@/features/home/LinkCard";
import { ConversationsFeed, newLines, useConversations } from "@/features/inbox/ConversationsFeed";
import { InboxFeed } from "@/features/inbox/InboxFeed";
import { InboxList } from "@/features/inbox/InboxList";
import { unreadOf, useInbox } from "@/features/inbox/inboxStore";
import { PausedNotice } from "@/features/inbox/PausedNotice";
import { openWhatIsSealed } from "@/features/inbox/sealed/openWhatIsSealed";
import { Doors, useDoors } from "@/features/knock/Doors";
import { forgetKnocks, hearKnocks, loadKnocks, useKnocks } from "@/features/knock/knocks";
import { MyRooms } from "@/features/room/MyRooms";
import { newMessages, type RoomItem, RoomsFeed, useRooms } from "@/features/room/RoomsFeed";
import { PlainHeader } from "@/features/site/PlainHeader";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { signInAgain } from "@/shared/session/signInAgain";
import { nameTab } from "@/shared/tabTitle";
import { appText } from "@/shared/text/appText";
import { knockText } from "@/shared/text/knockText";
import { text } from "@/shared/text/text";
import { NeedsScripts } from "@/shared/ui/NeedsScripts";
import { Skeleton } from "@/shared/ui/Skeleton";
import { Frame } from "../Frame";
import { forgetRoom } from "../forgetRoom";
import { requireAccount } from "../requireAccount";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: (search) => appText.home.tabs[tabOf(search)], counts: true };

export const loader = requireAccount;

/** Changing between tabs does not load the account again. */
export const shouldRevalidate = () => false;

/** The page without what only its owner has. */
export function HydrateFallback() {
  const loading = (
    <>
      <NeedsScripts why="account" />
      <div data-scripted>
        <Skeleton label={text.loading} row="m" />
      </div>
    </>
  );
  return (
    <Frame header={<PlainHeader toSettings />} isFrame>
      <HomeTabs panels={{ home: loading, inbox: loading, groups: loading }} />
    </Frame>
  );
}

/** The tab that is open. */
const shownTab = () => tabOf(new URLSearchParams(window.location.search));
const isInboxShown = () => shownTab() === "inbox";

/** What the inbox's socket is for beside the inbox: conversations, the list of groups, and who knocks at them. */
function besideInbox(rooms: RoomsFeed, conversations: ConversationsFeed) {
  return {
    ready: () => {
      rooms.ready();
      conversations.ready();
      for (const id of Object.keys(useKnocks.getState())) void loadKnocks(id);
    },
    receive: (frame: object) => {
      rooms.receive(frame);
      conversations.receive(frame);
      const [someone] = hearKnocks(frame);
      if (someone && shownTab() !== "groups") showNotice(knockText.list.one(someone.emoji));
    },
  };
}

/** The account's groups at which newcomers knock. */
function asking(rooms: RoomItem[] | "offline" | undefined) {
  return Array.isArray(rooms) ? rooms.filter(({ standing }) => standing?.asks_first) : [];
}

export function Component() {
  const { username } = useLoaderData<typeof loader>();
  const unread = useInbox(unreadOf) + useConversations(newLines);
  const inGroups = useRooms(newMessages);
  const waiting = useDoors(asking(useRooms((shown) => shown.rooms)));
  const isEmpty = useInbox(
    ({ status, shelf, notes }) => status === "ready" && shelf === "inbox" && notes.length === 0,
  );

  const [rooms] = useState(() => new RoomsFeed(username, forgetRoom));
  const [conversations] = useState(() => new ConversationsFeed());
  const [feed] = useState(
    () =>
      new InboxFeed({
        token: token() ?? "",
        username,
        onRefused: signInAgain,
        isShown: isInboxShown,
        listener: besideInbox(rooms, conversations),
      }),
  );

  useEffect(() => {
    rooms.start();
    conversations.start();
    feed.start();
    const stopOpening = openWhatIsSealed(username);
    return () => {
      stopOpening();
      feed.stop();
      conversations.stop();
      rooms.stop();
      forgetKnocks();
    };
  }, [feed, rooms, conversations, username]);

  const title = handle.title(new URLSearchParams(useLocation().search), {});
  useEffect(() => nameTab(title, unread), [title, unread]);

  return (
    <Frame header={<PlainHeader toSettings />}>
      <AccountNotices />
      <HomeTabs
        panels={{
          home: (
            <div className="stack">
              <PausedNotice />
              <HomeCards username={username} />
            </div>
          ),
          inbox: (
            <div className="stack">
              <PausedNotice />
              {/* In an empty inbox there is space for it, and nothing else to do. */}
              <LinkCard folds={!isEmpty} username={username} />
              <InboxList conversations={conversations} feed={feed} username={username} />
            </div>
          ),
          groups: (
            <>
              <Doors waiting={waiting} />
              <MyRooms feed={rooms} onForget={forgetRoom} />
            </>
          ),
        }}
        unread={{ inbox: unread, groups: inGroups + waiting.length }}
      />
    </Frame>
  );
}
