import { isBlank } from "@/shared/text/characters";
import { withoutOverrides } from "@/shared/text/directions";
import type { Delivery, Emoji, Message, Picture, Quote } from "../model/chat";
import type { Entry } from "./item";

export function quoteOf(message: Message | undefined): Quote | null {
  if (message?.seq === undefined || message.unsent) return null;
  const { sender, words, seq, picture } = message;
  return { sender, words: picture ? "Photo" : words, seq, picture: picture?.full ?? "" };
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
    unsent: false,
    delivery,
    arrived: at,
  };
}

/** What goes to the server. Who sends, and when, it takes from the seat and from its own clock. */
export function sendFrame(me: Emoji, { id, words, picture, reply, at }: Entry): Record<string, unknown> {
  const quote = reply && [reply.sender, reply.words, reply.seq, reply.picture];
  // `hh:mm:00.000` UTC: by the seconds that a device's clock is off, devices could be told apart.
  const time = new Date(at - (at % 60_000)).toISOString().slice(11, -1);
  const shared = { id, sender: me, reply: quote, time };
  if (!picture) return { event: "event.chat", ...shared, message: words, caption: "", image_src: null };
  const { full, tiny } = picture;
  return { event: "event.image", ...shared, message: "", caption: words, image_src: full, image_low: tiny };
}

/** As the server will have it: one kind of line break, no blank ends, no control characters, or nothing at all. */
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
