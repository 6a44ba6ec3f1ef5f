import { chatText } from "@/shared/text/chatText";
import { changeIn } from "../notices";

/** A system line in the reader's language; the server speaks English. What isn't known is shown as it came. */
export function noticeWords(message: string): string {
  const words = chatText.screen.notices;
  const change = changeIn(message);
  if (!change) return message;
  if ("face" in change) return words[change.became](change.face);
  return change.locked ? words.locked : words.open;
}
