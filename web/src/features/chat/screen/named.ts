import { chatText } from "@/shared/text/chatText";
import { locale } from "@/shared/text/language";
import type { Face, Notice } from "../model/chat";
import { pieces } from "../model/mentions";

/** What a face is called, for those who hear it. */
export function faceName(face: Face): string {
  return chatText.screen.faces[face] ?? face;
}

/** "Fox, Dog, and 8 others" */
export function listed(faces: readonly Face[], ...others: string[]): string {
  const list = new Intl.ListFormat(locale(), { type: "conjunction" });
  return list.format([...faces.map(faceName), ...others]);
}

/** A text in which each mention is the member's name in the reader's language. */
export function inWords(words: string, faces: ReadonlySet<Face>): string {
  const inWord = (text: string, face?: Face) => (face === undefined ? text : `@${faceName(face)}`);
  return pieces(words, faces)
    .map(({ text, face }) => inWord(text, face))
    .join("");
}

/**
 * A system line in the reader's language; the server speaks English. What isn't known is shown as it came. A face is
 * itself, or `called` by a name.
 */
export function noticeWords({ message, change }: Notice, called = (face: Face): string => face): string {
  const words = chatText.screen.notices;
  if (!change) return message;
  if ("lost" in change) return words.lost;
  if ("face" in change) return words[change.became](called(change.face));
  return change.locked ? words.locked : words.open;
}
