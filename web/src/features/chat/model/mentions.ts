import type { ChatState, Face, Line } from "./chat";

/** "@" and a face is how somebody is meant, in the words themselves; a face with more joined to it is another emoji. */
const MENTION = /(?<![\p{L}\p{N}])@(\p{Extended_Pictographic})\u{FE0F}?(?![\u{200D}\p{Emoji_Modifier}])/gu;

/** Words taken apart: a piece that means somebody has their face. */
export type Piece = { text: string; face?: Face };

/** Finds those who are meant. What isn't the face of anybody who was here stays text. */
export function pieces(words: string, faces: ReadonlySet<Face>): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of words.matchAll(MENTION)) {
    const [text, face = ""] = match;
    if (!faces.has(face)) continue;
    if (match.index > from) found.push({ text: words.slice(from, match.index) });
    found.push({ text, face });
    from = match.index + text.length;
  }
  if (from < words.length) found.push({ text: words.slice(from) });
  return found;
}

export function means(words: string, face: Face): boolean {
  return pieces(words, new Set([face])).some((piece) => piece.face !== undefined);
}

export function mention(face: Face): string {
  return `@${face}`;
}

/** The faces of all who are known to have been here: who has left is still meant by what was said before. */
export function facesOf({ members, lines }: Pick<ChatState, "members" | "lines">): ReadonlySet<Face> {
  return new Set([...members, ...senders(lines)]);
}

/** The state with those who are new in it; others come with their seat, or with older lines. */
export function withFaces<State extends ChatState>(next: State, before: State): State {
  if (next.members === before.members && next.lines[0] === before.lines[0]) return next;
  const faces = new Set([...next.faces, ...facesOf(next)]);
  return faces.size === next.faces.size ? next : { ...next, faces };
}

function senders(lines: readonly Line[]): Face[] {
  return lines.flatMap((line) => (line.kind === "message" ? [line.sender] : []));
}
