import { chatText, namesIn } from "@/shared/text/chatText";
import { locale } from "@/shared/text/language";
import type { Emoji, RoomNotice } from "../model/chat";
import { splitAtMentions } from "../model/mentions";

const NAMES = new Map(namesIn(chatText));

export function memberName(emoji: Emoji): string {
  return NAMES.get(emoji) ?? emoji;
}

/** Gives the emoji of somebody a name who is no member of a group. */
export function callMember(emoji: Emoji, name: string) {
  NAMES.set(emoji, name);
}

/** "Fox, Dog, and 8 others" */
export function listed(emojis: readonly Emoji[], ...others: string[]): string {
  const list = new Intl.ListFormat(locale(), { type: "conjunction" });
  return list.format([...emojis.map(memberName), ...others]);
}

/** A text in which each mention is the member's name in the reader's language. */
export function inWords(words: string, emojis: ReadonlySet<Emoji>): string {
  return splitAtMentions(words, emojis)
    .map(({ text, emoji }) => (emoji === undefined ? text : `@${memberName(emoji)}`))
    .join("");
}

/**
 * A system line in the reader's language. A kind that this app does not know is shown as the server wrote it, in
 * English. `called` gives the name of an emoji.
 */
export function noticeWords(
  { message, change }: RoomNotice,
  called = (emoji: Emoji): string => emoji,
): string {
  const words = chatText.screen.notices;
  if (!change) return message;
  if ("lost" in change) return words.lost;
  if ("emoji" in change) return words[change.became](called(change.emoji));
  return change.locked ? words.locked : words.open;
}
