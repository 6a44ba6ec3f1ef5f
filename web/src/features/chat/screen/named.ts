import type { Face } from "../model/chat";
import { type Piece, pieces } from "../model/mentions";
import { faceName } from "./face";

/** A text in which each mention is the member's name in the reader's language. */
export function inWords(words: string, faces: ReadonlySet<Face>): string {
  return pieces(words, faces).map(inWord).join("");
}

function inWord({ text, face }: Piece): string {
  return face === undefined ? text : `@${faceName(face)}`;
}
