import { ROOM_PAGE, ROOM_PAGE_MAX } from "@/shared/contract/limits";
import type { RoomCalls } from "../connection/roomCalls";
import { reloaded, withOlder, withSeats } from "../model/events";
import type { Lines } from "../model/reduce";

/** What a room has said before: pages of it, fetched as they are asked for. */
export class History {
  private readonly calls: RoomCalls;
  private readonly lines: Lines;
  private readonly failed: (failure: unknown, isAsked: boolean) => void;
  private loading: Promise<void> | undefined;

  /** `failed` hears what couldn't be fetched, and whether somebody has asked for it. */
  constructor(calls: RoomCalls, lines: Lines, failed: (failure: unknown, isAsked: boolean) => void) {
    this.calls = calls;
    this.lines = lines;
    this.failed = failed;
  }

  /** Only one load runs at a time. */
  loadOlder(limit = ROOM_PAGE): Promise<void> {
    this.loading ??= this.fetchOlder(limit).finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  async reach(seq: number): Promise<boolean> {
    for (;;) {
      const { lines, hasOlder } = this.lines.read();
      const first = lines[0]?.seq;
      if (first === undefined || first <= seq || !hasOlder) return lines.some((line) => line.seq === seq);
      await this.loadOlder(ROOM_PAGE_MAX);
      if (this.lines.read().lines[0]?.seq === first && this.lines.read().hasOlder) return false;
    }
  }

  /** The newest page, instead of what is there. False when it couldn't be fetched. */
  async reload(): Promise<boolean> {
    const page = await this.page(ROOM_PAGE);
    if (page) this.lines.update((state) => reloaded(state, page));
    return page !== undefined;
  }

  /** Seats that were claimed and never taken free themselves without a word. */
  async refreshSeats() {
    const page = await this.page(1);
    if (page) this.lines.update((state) => withSeats(state, page));
  }

  private async fetchOlder(limit: number) {
    const { lines, lastSeq, hasOlder } = this.lines.read();
    if (!hasOlder) return;
    const first = lines[0]?.seq;
    this.lines.update((state) => ({ ...state, loadingOlder: true }));
    const page = await this.page(limit, first ?? lastSeq + 1);
    this.lines.update((state) => {
      // Another page may have come from elsewhere meanwhile: this one would leave a gap.
      const next = page && state.lines[0]?.seq === first ? withOlder(state, page) : state;
      return { ...next, loadingOlder: false };
    });
  }

  private page(limit: number, before?: number) {
    return this.calls.page(limit, before).catch((failure) => {
      this.failed(failure, before !== undefined);
      return undefined;
    });
  }
}
