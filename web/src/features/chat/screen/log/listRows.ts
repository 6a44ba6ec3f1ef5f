import { type Line, type Message, PICTURES_TOGETHER, type RoomNotice } from "../../model/chat";
import { isNewDay, momentOf } from "../moment";

/** Consecutive notices of people who joined or left, drawn as one row. */
export type Comings = Omit<RoomNotice, "kind"> & { kind: "comings"; notices: readonly RoomNotice[] };

/** Pictures that a member sent together, drawn as one row. */
export type Gallery = Omit<Message, "kind"> & { kind: "gallery"; messages: readonly Message[] };

export type ListRow = Line | Comings | Gallery;

/** Pictures that come within this time of each other are taken for sent together: they are uploaded one by one. */
const TOGETHER_MS = 60_000;

/** The rows for these lines. A row has the key of its first line, so it keeps its key when lines are added to it. */
export function rowsOf(lines: readonly Line[]): ListRow[] {
  const runs: Line[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    if (run && joins(run, line)) run.push(line);
    else runs.push([line]);
  }
  return runs.flatMap(rowOf);
}

function rowOf(run: readonly Line[]): ListRow[] {
  const [first] = run;
  if (!first || run.length === 1) return [...run];
  if (first.kind === "message") return [galleryOf(first, run.filter(isMessage))];
  return [{ ...first, kind: "comings", notices: run.filter((line) => line.kind === "notice") }];
}

/** A gallery looks like one message, with the caption of one of its pictures. It is sent when all are. */
function galleryOf(first: Message, messages: readonly Message[]): Gallery {
  const words = messages.map((message) => message.words).join("");
  const { delivery } = messages.find((message) => message.delivery.state !== "sent") ?? first;
  return { ...first, kind: "gallery", messages, words, delivery };
}

/** Whether a line becomes a part of the row of these lines. */
function joins(run: readonly Line[], line: Line): boolean {
  const last = run.at(-1);
  if (!last || isNewDay(last, line)) return false;
  if (isMessage(last) && isMessage(line)) return isTogether(run.filter(isMessage), last, line);
  return isComing(last) && isComing(line);
}

/** The first picture may be an answer, and one of them may have a caption: a second caption begins another gallery. */
function isTogether(gallery: readonly Message[], last: Message, message: Message): boolean {
  if (!isInGallery(last) || !isInGallery(message) || last.sender !== message.sender) return false;
  const hasPlace = message.words === "" || gallery.every(({ words }) => words === "");
  return hasPlace && !message.reply && gallery.length < PICTURES_TOGETHER && isSoonAfter(last, message);
}

function isInGallery({ picture, retracted, delivery }: Message): boolean {
  return picture !== null && !retracted && delivery.state !== "failed";
}

function isSoonAfter(last: Message, { time, seq }: Message): boolean {
  // The time of a pending message is by another clock.
  if (seq === undefined) return true;
  const now = Date.now();
  return momentOf(time, now) - momentOf(last.time, now) <= TOGETHER_MS;
}

function isComing(line: Line): boolean {
  return (
    line.kind === "notice" &&
    line.change !== undefined &&
    "emoji" in line.change &&
    line.change.became !== "removed"
  );
}

function isMessage(line: Line): line is Message {
  return line.kind === "message";
}

/** Whether somebody said this row. */
export function isSaid(row: ListRow | undefined): row is Message | Gallery {
  return row?.kind === "message" || row?.kind === "gallery";
}

/** The messages of a row. */
export function messagesOf(row: ListRow | undefined): readonly Message[] {
  if (row?.kind === "gallery") return row.messages;
  return row?.kind === "message" ? [row] : [];
}

/** Whether a line with this key is in the row. */
export function holds(row: ListRow | undefined, key: string | undefined): boolean {
  return row !== undefined && (row.key === key || messagesOf(row).some((message) => message.key === key));
}

/** Whether a new run of lines begins at `row`: another sender, another day, or a notice between. */
export function begins(before: ListRow | undefined, row: ListRow | undefined): boolean {
  return !isSaid(before) || !isSaid(row) || before.sender !== row.sender || isNewDay(before, row);
}
