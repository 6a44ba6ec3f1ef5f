import type { ChatState, Emoji } from "./chat";

/** "@" and an emoji. A skin tone or a joined second emoji after it makes it another emoji, which is not found. */
const MENTION = /(?<![\p{L}\p{N}])@(\p{Extended_Pictographic})\u{FE0F}?(?![\u{200D}\p{Emoji_Modifier}])/gu;

/** A part of a message. If it mentions a member, `emoji` is theirs. */
export type Fragment = { text: string; emoji?: Emoji };

/** Splits words at the mentions of these emojis. "@" and any other emoji stays text. */
export function splitAtMentions(words: string, emojis: ReadonlySet<Emoji>): Fragment[] {
  const found: Fragment[] = [];
  let from = 0;
  for (const match of words.matchAll(MENTION)) {
    const [text, emoji = ""] = match;
    if (!emojis.has(emoji)) continue;
    if (match.index > from) found.push({ text: words.slice(from, match.index) });
    found.push({ text, emoji });
    from = match.index + text.length;
  }
  if (from < words.length) found.push({ text: words.slice(from) });
  return found;
}

/** Whether the words mention this emoji. */
export function mentions(words: string, emoji: Emoji): boolean {
  return splitAtMentions(words, new Set([emoji])).some((fragment) => fragment.emoji !== undefined);
}

/** The emoji of all members and senders. Older messages may mention members who have left. */
export function emojisOf({ members, lines }: Pick<ChatState, "members" | "lines">): ReadonlySet<Emoji> {
  return new Set([...members, ...lines.flatMap((line) => (line.kind === "message" ? [line.sender] : []))]);
}

/** Adds the emoji of new members and of the senders of older lines. */
export function withEmojis<State extends ChatState>(next: State, before: State): State {
  if (next.members === before.members && next.lines[0] === before.lines[0]) return next;
  const emojis = new Set([...next.emojis, ...emojisOf(next)]);
  return emojis.size === next.emojis.size ? next : { ...next, emojis };
}
