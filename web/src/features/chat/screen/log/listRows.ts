import type { Line, RoomNotice } from "../../model/chat";
import { isNewDay } from "../moment";

/** Consecutive notices of people who joined or left, drawn as one row. */
export type Comings = Omit<RoomNotice, "kind"> & { kind: "comings"; notices: readonly RoomNotice[] };

export type ListRow = Line | Comings;

/** The rows for these lines. A row has the key of its first line, so it keeps its key when notices are added. */
export function rowsOf(lines: readonly Line[]): ListRow[] {
  const rows: ListRow[] = [];
  let run: RoomNotice[] = [];
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

function isComing({ change }: RoomNotice): boolean {
  return change !== undefined && "emoji" in change && change.became !== "removed";
}

/** Whether a new run of lines begins at `row`: another sender, another day, or a notice between. */
export function begins(before: ListRow | undefined, row: ListRow | undefined): boolean {
  return (
    before?.kind !== "message" ||
    row?.kind !== "message" ||
    before.sender !== row.sender ||
    isNewDay(before, row)
  );
}
