import { ApiFailure, isTrouble } from "@/shared/api/client";
import { forgetConversations, keptConversation, readUpTo } from "@/shared/conversations/kept";
import { canConverse, keysOf } from "@/shared/conversations/secret";
import { socketAddress } from "@/shared/live/LiveSocket";
import { token } from "@/shared/session/session";
import { deviceStorage } from "@/shared/storage";
import { conversationText } from "@/shared/text/conversationText";
import { failureText } from "@/shared/text/failureText";
import { ChatRoom } from "../ChatRoom";
import type { RoomCalls } from "../connection/roomCalls";
import { type Environment, realEnvironment } from "../environment";
import { EMOJI_OF } from "../model/pair";
import type { Start } from "../model/transitions";
import { callMember } from "../screen/named";
import { forgetRoom } from "../storage";
import { ConversationSocket } from "./ConversationSocket";
import { type Access, type ConversationCalls, conversationCalls } from "./conversationCalls";
import { keepingNoSeen } from "./keepingNoSeen";
import type { Locked } from "./sealing/openTalk";

/** The page of a conversation: the conversation, or why there is none. */
export type OpenedConversation =
  | { kind: "conversation"; start: Start; access: Access; secret: string | undefined }
  /** It has ended, or never was: the server doesn't tell which. */
  | { kind: "gone" }
  /** It has ended, since this device remembers it. */
  | { kind: "ended" }
  /** The link has no key, and nobody is signed in whose note this is about. */
  | { kind: "keyless" }
  /** It is sealed and can't be opened here; or it should be sealed, and isn't (`open`). */
  | { kind: "locked"; why: Locked | "open"; to: string }
  | { kind: "trouble"; why: string };

const ENDED_CODE = 404;
/** The most lines that the server gives at once are all that a conversation can have. */
const ALL_LINES = 200;

export async function openConversation(id: string, hash: string): Promise<OpenedConversation> {
  const secret = hash.slice(1) || keptConversation(id)?.secret;
  const bearer = token();
  let access: Access;
  if (secret !== undefined) {
    if (!canConverse()) return { kind: "trouble", why: conversationText.page.insecure };
    const keys = await keysOf(secret);
    if (keys?.id !== id) return { kind: "gone" };
    access = { key: keys.key };
  } else if (bearer !== undefined) access = { token: bearer };
  else return { kind: "keyless" };
  try {
    const data = await conversationCalls(id, access).page(ALL_LINES);
    const { pair } = data;
    if (pair) callMember(EMOJI_OF.owner, pair.to);
    callMember(EMOJI_OF.sender, conversationText.sender);
    const me = EMOJI_OF[pair?.side ?? "sender"];
    const start = { data, me, amCreator: false, expiresAt: Number.POSITIVE_INFINITY };
    const locked = (why: Locked | "open") => ({ kind: "locked", why, to: data.creator }) as const;
    if (pair?.note.sealed !== undefined) {
      // Only sealed conversations load it.
      const opened = await (await import("./sealing/openTalk")).openTalk(data, secret);
      if (typeof opened === "string") return locked(opened);
      return { kind: "conversation", start: { ...start, ...opened }, access, secret };
    }
    if (secret !== undefined && keptConversation(id)?.isSealed) return locked("open");
    return { kind: "conversation", start, access, secret };
  } catch (failure) {
    if (isTrouble(failure)) return { kind: "trouble", why: failureText(failure) };
    if (access.token !== undefined) return { kind: "keyless" };
    if (!(failure instanceof ApiFailure) || failure.status !== ENDED_CODE) return { kind: "gone" };
    const wasHere = keptConversation(id)?.secret === secret;
    leaveNothing(id);
    return { kind: wasHere ? "ended" : "gone" };
  }
}

/** Removes what the device keeps of a conversation that is over. */
export function leaveNothing(id: string) {
  forgetConversations(id);
  forgetRoom(deviceStorage, id);
}

/** What a conversation uses from outside. Tests replace it. */
export type Outside = {
  environment: Environment;
  calls: ConversationCalls;
  open: (protocols: string[]) => WebSocket;
};

function realOutside(id: string, access: Access): Outside {
  const address = socketAddress(`/api/conversation/${id}/socket`);
  return {
    environment: realEnvironment(id, Number.POSITIVE_INFINITY),
    calls: conversationCalls(id, access),
    open: (protocols) => new WebSocket(address, protocols),
  };
}

/** The conversation as a room of two. */
export function roomOf(
  { start, access }: { start: Start; access: Access },
  signedOut: () => void,
  outside: Outside = realOutside(start.data.id, access),
): ChatRoom {
  const { calls, environment: given } = outside;
  let socket: ConversationSocket | undefined;
  let isEnding = false;
  const sent = new Set<string>();
  const close = () => {
    isEnding = true;
    return calls.close().finally(() => {
      isEnding = false;
    });
  };
  const open = () => {
    socket = new ConversationSocket(outside.open, access, calls, {
      since: () => room.store.getState().lastSeq,
      placeOf: (line) => placeOf(room, line),
      isEnding: () => isEnding,
      signedOut,
      sent,
    });
    return socket as unknown as WebSocket;
  };
  const environment: Environment = {
    ...given,
    socket: { ...given.socket, open },
    calls: { ...calls, close } as unknown as RoomCalls,
    storage: keepingNoSeen(given.storage),
    carrySeat: () => false,
  };
  const room = new ChatRoom(start, environment);
  let told = 0;
  room.store.subscribe(({ lines, me, seesEnd, connection }) => {
    if (!seesEnd || connection !== "live") return;
    const newest = lines.findLast((line) => line.kind === "message" && line.sender !== me)?.seq ?? 0;
    if (newest <= told || !socket?.seen(newest)) return;
    told = newest;
    if (access.key !== undefined) readUpTo(start.data.id, newest);
  });
  return room;
}

function placeOf(room: ChatRoom, line: string): number | undefined {
  const { lines } = room.store.getState();
  return lines.findLast((message) => message.kind === "message" && message.id === line)?.seq;
}
