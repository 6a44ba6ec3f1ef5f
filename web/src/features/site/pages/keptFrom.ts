/**
 * What a page that says why somebody isn't in a group knows of that group. It is kept in the tab's history entry: so it
 * is there after a reload, and in no request.
 */
export type CameFrom = {
  /** The id of the group. */
  room: string;
  name?: string | undefined;
  /** What was being written when the group ended. */
  unsent?: string;
  /** Of a sealed group, what stands in its link behind the "#". */
  key?: string | undefined;
};

/** The sealed group that was left last. Only this page has it, as long as it is open. */
export let sealed: CameFrom | undefined;

/** What the history entry has: of a sealed group only which it was. */
export function keptFrom(from: CameFrom): CameFrom {
  if (!from.key) return from;
  sealed = from;
  return { room: from.room };
}
