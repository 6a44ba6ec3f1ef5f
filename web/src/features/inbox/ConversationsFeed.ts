import { create } from "zustand";
import { api, type Schemas } from "@/shared/api/api";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { conversationText } from "@/shared/text/conversationText";

export type Conversation = Schemas["ConversationItem"];

type Conversations = {
  /** The one with the newest line first. */
  conversations: readonly Conversation[];
  hasOlder: boolean;
  /** Whether the server has said which there are. */
  isLoaded: boolean;
};

const none: Conversations = { conversations: [], hasOlder: false, isLoaded: false };

export const useConversations = create<Conversations>(() => none);

const PAGE = 50;

/** How many lines are new in all conversations. */
export function newLines({ conversations }: Conversations): number {
  return conversations.reduce((sum, { unread }) => sum + unread, 0);
}

type Frame = { event?: string; id?: string; data?: Conversation };

/**
 * Keeps the list of the account's conversations up to date: loads it, and changes it after frames of the inbox's
 * socket. Without the list, the inbox is still of use, so a call that fails is made again when the socket is.
 */
export class ConversationsFeed {
  private stopped = false;
  /** How many frames have come: a list that was asked for before one of them may be older than it. */
  private received = 0;

  start() {
    this.stopped = false;
    useConversations.setState(none);
    void this.load();
  }

  stop() {
    this.stopped = true;
    useConversations.setState(none);
  }

  /** The socket is open: frames may have been lost until now. */
  readonly ready = () => void this.load();

  receive({ event, id, data }: Frame) {
    if (event !== "event.conversation" || id === undefined) return;
    this.received += 1;
    const { conversations } = useConversations.getState();
    const before = conversations.find((known) => known.id === id);
    const others = conversations.filter((known) => known !== before);
    this.show(sorted(data ? [data, ...others] : others));
    const isNews = data?.last?.from === "sender" && data.unread > (before?.unread ?? 0);
    if (isNews) showNotice(conversationText.mine.arrived);
  }

  async loadOlder() {
    const last = useConversations.getState().conversations.at(-1)?.id;
    const { data } = await this.page(last);
    const { conversations } = useConversations.getState();
    const known = new Set(conversations.map(({ id }) => id));
    this.show([...conversations, ...data.filter(({ id }) => !known.has(id))], data.length === PAGE);
  }

  private async load() {
    let received: number;
    do {
      received = this.received;
      const page = await this.page().catch(() => undefined);
      if (!page) return;
      this.show(page.data, page.data.length === PAGE, true);
    } while (received !== this.received && !this.stopped);
  }

  private page(before?: string) {
    const query = { limit: PAGE, before };
    return api("get", "/api/conversations", { query, token: token() ?? "" });
  }

  private show(
    conversations: readonly Conversation[],
    hasOlder = useConversations.getState().hasOlder,
    isLoaded = useConversations.getState().isLoaded,
  ) {
    if (!this.stopped) useConversations.setState({ conversations, hasOlder, isLoaded });
  }
}

function sorted(conversations: readonly Conversation[]): Conversation[] {
  const newest = ({ last, note }: Conversation) => last?.time ?? note.date;
  return conversations.toSorted((one, other) => newest(other).localeCompare(newest(one)));
}
