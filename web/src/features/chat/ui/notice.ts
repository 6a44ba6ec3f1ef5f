import { chatText } from "@/shared/text/chatText";

const JOINED = / joined$/;
const LEFT = / left$/;
const REMOVED = / was removed$/;

/** A system line in the reader's language; the server speaks English. What isn't known is shown as it came. */
export function noticeWords(message: string): string {
  const words = chatText.screen.notices;
  for (const [pattern, say] of [
    [JOINED, words.joined],
    [LEFT, words.left],
    [REMOVED, words.removed],
  ] as const) {
    if (pattern.test(message)) return say(message.replace(pattern, ""));
  }
  if (message === "The group is locked: nobody new can join") return words.locked;
  if (message === "The group is open again") return words.open;
  return message;
}
