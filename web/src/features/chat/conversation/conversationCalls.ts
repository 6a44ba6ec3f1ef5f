import { api, type Schemas } from "@/shared/api/api";
import { ApiFailure } from "@/shared/api/client";
import { conversationText } from "@/shared/text/conversationText";
import type { ChatFrame } from "../model/frames";
import { EMOJI_OF, type Pair } from "../model/pair";
import type { RoomPage } from "../model/transitions";

/** How the reader proves their side: the owner by the account's token, the sender by the key from the private link. */
export type Access = { token: string; key?: never } | { key: string; token?: never };

export type ConversationCalls = ReturnType<typeof conversationCalls>;

/** The calls of a conversation, with answers as a room has them. A room's other calls are never made. */
export function conversationCalls(id: string, access: Access) {
  const given = { params: { id }, ...access };
  const page = async (limit: number, before?: number): Promise<RoomPage> =>
    pageOf((await api("get", "/api/conversation/{id}", { ...given, query: { limit, before } })).data);
  const end = () => api("delete", "/api/conversation/{id}", given);
  return {
    page,
    /** Why the server refuses the socket, if the conversation is over. */
    refusal: async (): Promise<"expired" | undefined> => {
      try {
        await page(1);
      } catch (failure) {
        if (failure instanceof ApiFailure && failure.status === 404) return "expired";
        throw failure;
      }
      return undefined;
    },
    say: (line: Schemas["SayLine"]) => api("post", "/api/conversation/{id}", { ...given, json: line }),
    unsend: (seq: number) =>
      api("delete", "/api/conversation/{id}/line/{seq}", { ...access, params: { id, seq } }),
    /** For a group this would lock it: here nobody can say any more. */
    setUp: () => api("patch", "/api/conversation/{id}", { ...given, json: { open: false } }),
    close: end,
    leave: end,
  };
}

/** The answer for a conversation, as a room's page. */
export function pageOf(data: Schemas["ConversationData"]): RoomPage {
  const { id, me, to, note, lines, open, last_seq, has_older } = data;
  const seen = lines.filter((line) => line.from === me && line.seen).at(-1)?.seq ?? 0;
  const pair: Pair = { side: me, to, note, isOpen: open, seen };
  return {
    id,
    link: id,
    name: me === "owner" ? conversationText.page.withSender : to,
    date: note.date,
    creator: to,
    locked: false,
    ask_first: false,
    members: [],
    expire_at: Number.POSITIVE_INFINITY,
    message_count: lines.length,
    messages: lines.map(chatFrameOf),
    last_seq,
    has_older,
    pair,
  } as RoomPage;
}

/** A line as a room's message. Its time has a day, unlike a room's. */
export function chatFrameOf({
  seq,
  id,
  from,
  message,
  time,
  unsent,
  reply,
  reactions,
}: Omit<Schemas["LineItem"], "seen">): ChatFrame {
  const frame = {
    event: "event.chat",
    seq,
    id,
    sender: EMOJI_OF[from],
    message,
    caption: "",
    image_src: null,
    reply: reply ? [EMOJI_OF[reply.from], reply.message, reply.seq, ""] : null,
    time: momentOfLine(time),
    ...(unsent && { unsent }),
    ...(reactions && { reactions: reactions.map(reactionOf) }),
  };
  return frame as unknown as ChatFrame;
}

/** The reactions to a line with one emoji, as a room has them. */
export function reactionOf({ emoji, from }: Schemas["LineReactions"]): Schemas["Reactions"] {
  return { emoji, count: from.length, from: from.map((side) => EMOJI_OF[side]) };
}

/** The server's "YYYY-MM-DD HH:MM:SS" in UTC, in milliseconds. */
function momentOfLine(time: string): number {
  return Date.parse(`${time.replace(" ", "T")}Z`);
}
