import { chatText } from "@/shared/text/chatText";
import type { Face, Notice } from "../model/chat";

/**
 * A system line in the reader's language; the server speaks English. What isn't known is shown as it came. A face is
 * itself, or `called` by a name.
 */
export function noticeWords({ message, change }: Notice, called = (face: Face): string => face): string {
  const words = chatText.screen.notices;
  if (!change) return message;
  if ("face" in change) return words[change.became](called(change.face));
  return change.locked ? words.locked : words.open;
}
