import type { Face } from "../../model/chat";
import { faceName } from "../face";

/** Where an "@" stands that asks for a name, and what was typed of it. */
export type Query = { from: number; typed: string };

const ASKED = /(?<![\p{L}\p{N}])@([\p{L}\p{M}]*)$/u;

export function queryAt(words: string, caret: number): Query | undefined {
  const match = ASKED.exec(words.slice(0, caret));
  return match ? { from: match.index, typed: match[1] ?? "" } : undefined;
}

/** Those whose name, in the reader's language, begins so. */
export function askedFor(typed: string, faces: readonly Face[]): Face[] {
  const begun = typed.normalize().toLocaleLowerCase();
  return faces.filter((face) => faceName(face).toLocaleLowerCase().startsWith(begun));
}
