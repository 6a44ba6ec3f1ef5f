import type { Line, Notice } from "../../model/chat";
import { isNewDay } from "../moment";

/** Notices one after the other that say who came and who went: they are told together. */
export type Comings = Omit<Notice, "kind"> & { kind: "comings"; notices: readonly Notice[] };

export type ListRow = Line | Comings;

/** The rows of a history. A row is named after its first line: it keeps its name when others come and go. */
export function rowsOf(lines: readonly Line[]): ListRow[] {
  const rows: ListRow[] = [];
  let run: Notice[] = [];
  const close = () => {
    const [first] = run;
    if (first) rows.push(run.length === 1 ? first : { ...first, kind: "comings", notices: run });
    run = [];
  };
  for (const line of lines) {
    if (line.kind === "notice" && isComing(line)) {
      if (isNewDay(run.at(-1), line)) close();
      run.push(line);
    } else {
      close();
      rows.push(line);
    }
  }
  close();
  return rows;
}

function isComing({ change }: Notice): boolean {
  return change !== undefined && "emoji" in change && change.became !== "removed";
}

/** Whether a row begins something new: another's words, or another day. */
export function begins(before: ListRow | undefined, row: ListRow | undefined): boolean {
  return (
    before?.kind !== "message" ||
    row?.kind !== "message" ||
    before.sender !== row.sender ||
    isNewDay(before, row)
  );
}
