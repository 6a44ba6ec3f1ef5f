import { CHAT_MAX, LINE_MAX } from "@/shared/contract/limits";
import { isBlank } from "@/shared/text/characters";
import { withoutOverrides } from "@/shared/text/directions";
import type { ChatState, Delivery, Emoji, Message, Picture, Quote } from "../model/chat";
import type { Entry } from "./item";

/** How many characters the words of a message may have. */
export function longestOf({ pair }: Pick<ChatState, "pair">): number {
  return pair ? LINE_MAX : CHAT_MAX;
}

export function quoteOf(message: Message | undefined): Quote | null {
  if (message?.seq === undefined || message.retracted) return null;
  const { sender, words, seq, picture, id } = message;
  return { sender, words: picture ? "Photo" : words, seq, picture: picture?.full ?? "", id };
}

export function ownMessage(
  me: Emoji,
  { id, words, picture, reply, at }: Omit<Entry, "picture"> & { picture: Picture | null },
  delivery: Delivery,
): Message {
  return {
    kind: "message",
    key: id,
    id,
    seq: undefined,
    sender: me,
    mine: true,
    words: withoutOverrides(words),
    picture,
    reply,
    time: at,
    retracted: false,
    delivery,
    arrived: at,
  };
}

/** The frame for the server, which takes the sender from the seat and the time from its own clock. */
export function sendFrame(me: Emoji, { id, words, picture, reply, at }: Entry): Record<string, unknown> {
  const quote = reply && [reply.sender, reply.words, reply.seq, reply.picture];
  // `hh:mm:00.000` UTC, without seconds: a clock that is wrong by some seconds would identify its device.
  const time = new Date(at - (at % 60_000)).toISOString().slice(11, -1);
  const shared = { id, sender: me, reply: quote, answers: reply?.id, time };
  if (!picture) return { event: "event.chat", ...shared, message: words, caption: "", image_src: null };
  const { full, tiny, width, height } = picture;
  const image = { image_src: full, image_low: tiny, image_size: [width, height] };
  return { event: "event.image", ...shared, message: "", caption: words, ...image };
}

/** As the server stores it: line breaks are "\n", no blanks at the ends, no control characters; "" if it is blank. */
export function tidy(words: string): string {
  if (isBlank(words)) return "";
  return (
    words
      .replace(/\r\n?/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
      .trim()
  );
}
