import type { ChatState, Emoji } from "./chat";

/** "@" and a member's emoji mean that member, in the words themselves; with more joined to it it is another emoji. */
const MENTION = /(?<![\p{L}\p{N}])@(\p{Extended_Pictographic})\u{FE0F}?(?![\u{200D}\p{Emoji_Modifier}])/gu;

/** Words taken apart: a piece that means somebody has their emoji. */
export type Piece = { text: string; emoji?: Emoji };

/** Finds those who are meant. What isn't the emoji of anybody who was here stays text. */
export function pieces(words: string, emojis: ReadonlySet<Emoji>): Piece[] {
  const found: Piece[] = [];
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

export function means(words: string, emoji: Emoji): boolean {
  return pieces(words, new Set([emoji])).some((piece) => piece.emoji !== undefined);
}

/** The emoji of all who are known to have been here: who has left is still meant by what was said before. */
export function emojisOf({ members, lines }: Pick<ChatState, "members" | "lines">): ReadonlySet<Emoji> {
  return new Set([...members, ...lines.flatMap((line) => (line.kind === "message" ? [line.sender] : []))]);
}

/** The state with those who are new in it; others come with their seat, or with older lines. */
export function withEmojis<State extends ChatState>(next: State, before: State): State {
  if (next.members === before.members && next.lines[0] === before.lines[0]) return next;
  const emojis = new Set([...next.emojis, ...emojisOf(next)]);
  return emojis.size === next.emojis.size ? next : { ...next, emojis };
}
