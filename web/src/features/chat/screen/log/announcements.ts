import { chatText } from "@/shared/text/chatText";
import type { ChatState, Line } from "../../model/chat";
import { mentions } from "../../model/mentions";
import { inWords, memberName, noticeWords } from "../named";
import { type ListRow, messagesOf, rowsOf } from "./listRows";
import { comingsWords } from "./Notices";

/** If more lines come together, only their number is read out. */
const READ_OUT = 3;

/** A sentence to read out, and the `seq` of the message whose words are in it. */
export type Announcement = { words: string; of: number | undefined };

/** What to read out after a change from `before` to `now`: new lines of others, and own messages that failed. */
export function announcements(before: ChatState, now: ChatState): Announcement[] {
  const fresh = newLines(now.lines, before.lastSeq);
  const failed = now.lines
    .slice(-20)
    .filter(
      (line) => line.kind === "message" && line.delivery.state === "failed" && !before.lines.includes(line),
    )
    .map(() => bare(chatText.screen.message.failed));
  const rows = rowsOf(fresh);
  if (rows.length > READ_OUT) return [bare(chatText.screen.log.several(fresh.length)), ...failed];
  return [...rows.map((row) => announcementOf(row, now)), ...failed];
}

function newLines(lines: readonly Line[], after: number): Line[] {
  // The reader's pending messages are at the end and have no place.
  const old = lines.findLastIndex(({ seq }) => seq !== undefined && seq <= after);
  return lines
    .slice(old + 1)
    .filter((line) => line.seq !== undefined && !(line.kind === "message" && line.mine));
}

function bare(words: string): Announcement {
  return { words, of: undefined };
}

function announcementOf(row: ListRow, { me, emojis }: ChatState): Announcement {
  const words = chatText.screen;
  if (row.kind === "notice") return bare(noticeWords(row, memberName));
  if (row.kind === "comings") return bare(comingsWords(row.notices));
  const all = messagesOf(row);
  const pictures = all.length > 1 ? words.log.pictures(all.length) : row.picture && words.log.picture;
  const what = row.retracted
    ? words.message.retracted
    : [pictures, inWords(row.words, emojis)].filter(Boolean).join(", ");
  const sentence = !row.retracted && mentions(row.words, me) ? words.log.mentioned : words.log.said;
  const said = all.find((message) => message.words !== "") ?? row;
  return { words: sentence(memberName(row.sender), what), of: row.retracted ? undefined : said.seq };
}
