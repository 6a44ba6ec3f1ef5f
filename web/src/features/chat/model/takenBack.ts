import type { Line, Message } from "./chat";

/** The line without what was taken back: its own words, or those it quotes. */
export function without(line: Line, takenBack: ReadonlySet<number>): Line {
  if (line.kind === "notice") return line;
  const bare = line.seq !== undefined && !line.unsent && takenBack.has(line.seq) ? emptied(line) : line;
  const { reply } = bare;
  if (!reply || !takenBack.has(reply.seq) || (reply.words === "" && reply.picture === "")) return bare;
  return { ...bare, reply: { ...reply, words: "", picture: "" } };
}

function emptied(message: Message): Message {
  return { ...message, words: "", picture: null, reply: null, unsent: true };
}
