import type { Schemas } from "@/shared/api/api";
import { withoutOverrides } from "@/shared/text/directions";
import type { Change, Emoji, Line, Message, Picture, Quote, RoomNotice } from "./chat";
import type { ChatFrame, NotifyFrame } from "./frames";

export function lineOf(frame: Schemas["LineFrame"], me: Emoji): Line {
  return "sender" in frame ? messageOf(frame as ChatFrame, me) : noticeOf(frame as NotifyFrame);
}

export function noticeOf(frame: NotifyFrame): RoomNotice {
  const { seq, message, time } = frame;
  return { kind: "notice", key: String(seq), seq, message, change: changeOf(frame), time };
}

function changeOf({ code, emoji }: NotifyFrame): Change | undefined {
  switch (code) {
    case "joined":
    case "left":
    case "removed":
      return emoji ? { emoji, became: code } : undefined;
    case "locked":
    case "unlocked":
      return { locked: code === "locked" };
    case "lost":
      return { lost: true };
    default:
      // The code of a newer server: the line shows the server's sentence.
      code satisfies never;
      return undefined;
  }
}

/** The key of a message of one's own is its id, which it has before it has a place; that of another is its place. */
export function messageOf(frame: ChatFrame, me: Emoji): Message {
  const { id, seq, sender, time, unsent: retracted = false } = frame;
  const mine = sender === me;
  return {
    kind: "message",
    key: mine ? id : String(seq),
    id,
    seq,
    sender,
    mine,
    words: withoutOverrides(frame.message || frame.caption),
    picture: pictureOf(frame),
    reply: quoteOf(frame.reply),
    time,
    retracted,
    delivery: { state: "sent" },
    unopened: frame.unopened,
    doubt: frame.doubt,
  };
}

function pictureOf({ image_src, image_low, image_size }: ChatFrame): Picture | null {
  if (!image_src) return null;
  // Unknown sizes are 0.
  const [width = 0, height = 0] = image_size ?? [];
  return { full: image_src, tiny: image_low ?? null, width, height };
}

function quoteOf(reply: Schemas["Quote"] | null | undefined): Quote | null {
  if (!reply) return null;
  const [sender, quoted, seq, picture] = reply;
  const words = withoutOverrides(String(quoted));
  return { sender: String(sender), words, seq: Number(seq), picture: String(picture ?? "") };
}

/** The line; without its words if it was taken back, and without the quote's words if the quoted message was. */
export function withoutRetracted(line: Line, retracted: ReadonlySet<number>): Line {
  if (line.kind === "notice") return line;
  const isGone = line.seq !== undefined && !line.retracted && retracted.has(line.seq);
  const bare: Message = isGone ? { ...line, words: "", picture: null, reply: null, retracted: true } : line;
  const { reply } = bare;
  if (!reply || !retracted.has(reply.seq) || (reply.words === "" && reply.picture === "")) return bare;
  return { ...bare, reply: { ...reply, words: "", picture: "" } };
}
