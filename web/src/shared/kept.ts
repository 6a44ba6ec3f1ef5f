/** What the operator can have deleted after some days. */
type Limited = "notes" | "accounts" | "feedback" | "events";

/**
 * Where a row of the table of what is kept holds: where a limit is set, where none is, or, of addresses, where they are
 * kept without one.
 */
export type Where = Limited | `no-${Limited}` | "endless-events";
/** A limit has `{days}` in the place of its number. */
export type Row = [what: string, long: string, where?: Where];

/**
 * The rows that hold on this site, with their numbers. Pages that are drawn when the app is built have all; the server
 * leaves out the others, and puts the numbers in.
 */
export function rowsOf(rows: Row[]): Row[] {
  const there = rows.filter(([, , where]) => import.meta.env.SSR || !where || holds(where));
  return there.map(([what, long, where]) => [what, long.replace("{days}", daysOf(where)), where]);
}

function daysOf(where: Where | undefined): string {
  return import.meta.env.SSR ? `{${where}-days}` : (setFor(where as Limited) ?? "");
}

function holds(where: Where): boolean {
  const what = where.replace(/^(no|endless)-/, "") as Limited;
  const set = setFor(what);
  if (where.startsWith("no-")) return set === undefined;
  return where.startsWith("endless-") ? set === "endless" : set !== undefined && set !== "endless";
}

function setFor(what: Limited): string | undefined {
  return document.documentElement.dataset[`${what}Kept`];
}
