import { ROOM_PAGE, ROOM_PAGE_MAX } from "@/shared/contract/limits";
import type { RoomCalls } from "../connection/roomCalls";
import type { StateHandle } from "../model/chat";
import { reloaded, withOlder, withSeats } from "../model/transitions";

/**
 * Fetches pages of a room's older messages. `failed` is called when that fails; `isAsked` is true if the reader wanted
 * the page.
 */
export function historyOf(
  calls: RoomCalls,
  { read, update }: StateHandle,
  failed: (failure: unknown, isAsked: boolean) => void,
) {
  let loading: Promise<void> | undefined;

  const page = (limit: number, before?: number) =>
    calls.page(limit, before).catch((failure) => {
      failed(failure, before !== undefined);
      return undefined;
    });

  /** Only one load runs at a time. */
  function loadOlder(limit = ROOM_PAGE): Promise<void> {
    loading ??= fetchOlder(limit).finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function fetchOlder(limit: number) {
    const { lines, lastSeq, hasOlder } = read();
    if (!hasOlder) return;
    const first = lines[0]?.seq;
    update((state) => ({ ...state, loadingOlder: true }));
    const older = await page(limit, first ?? lastSeq + 1);
    update((state) => {
      // If the first line has changed in the meantime, this page would leave a gap.
      const next = older && state.lines[0]?.seq === first ? withOlder(state, older) : state;
      return { ...next, loadingOlder: false };
    });
  }

  async function reach(seq: number): Promise<boolean> {
    for (;;) {
      const { lines, hasOlder } = read();
      const first = lines[0]?.seq;
      if (first === undefined || first <= seq || !hasOlder) return lines.some((line) => line.seq === seq);
      await loadOlder(ROOM_PAGE_MAX);
      if (read().lines[0]?.seq === first && read().hasOlder) return false;
    }
  }

  /** Replaces all lines by the newest page; false if that could not be fetched. */
  async function reload(): Promise<boolean> {
    const newest = await page(ROOM_PAGE);
    if (newest) update((state) => reloaded(state, newest));
    return newest !== undefined;
  }

  /** The server sends no event when it frees a seat that never got a socket. */
  async function refreshSeats() {
    const newest = await page(1);
    if (newest) update((state) => withSeats(state, newest));
  }

  return { loadOlder, reach, reload, refreshSeats };
}
