import type { Face } from "../chat";
import { type Piece, pieces } from "../mentions";
import { faceName } from "./face";

/** Who is meant, in the reader's language; the face stays, for whoever knows only that. */
export function inWords(words: string, faces: ReadonlySet<Face>): string {
  return pieces(words, faces).map(inWord).join("");
}

function inWord({ text, face }: Piece): string {
  return face === undefined ? text : `@${faceName(face)}`;
}
