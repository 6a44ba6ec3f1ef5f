import { ApiFailure } from "@/shared/api/client";
import { ROOM_PAGE, ROOM_PAGE_MAX } from "@/shared/contract/limits";
import type { RoomCalls } from "../connection/roomCalls";
import type { Ending } from "../model/chat";
import { reloaded, withOlder, withSeats } from "../model/events";
import type { Chat } from "../model/reduce";

export type ChatLines = {
  read: () => Chat;
  update: (change: (state: Chat) => Chat) => void;
  ended: (why: Ending) => void;
  complain: (failure: unknown) => void;
};

/** What a room has said before: pages of it, fetched as they are asked for. */
export class History {
  private readonly calls: RoomCalls;
  private readonly chat: ChatLines;
  private loading: Promise<void> | undefined;

  constructor(calls: RoomCalls, chat: ChatLines) {
    this.calls = calls;
    this.chat = chat;
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
      const { lines, hasOlder } = this.chat.read();
      const first = lines[0]?.seq;
      if (first === undefined || first <= seq || !hasOlder) return lines.some((line) => line.seq === seq);
      await this.loadOlder(ROOM_PAGE_MAX);
      if (this.chat.read().lines[0]?.seq === first && this.chat.read().hasOlder) return false;
    }
  }

  /** The newest page, instead of what is there. False when it couldn't be fetched. */
  async reload(): Promise<boolean> {
    const data = await this.fetch(() => this.calls.page(ROOM_PAGE));
    if (data) this.chat.update((state) => reloaded(state, data));
    return data !== undefined;
  }

  /** Seats that were claimed and never taken free themselves without a word. */
  async refreshSeats(): Promise<void> {
    const data = await this.fetch(() => this.calls.page(1));
    if (data) this.chat.update((state) => withSeats(state, data));
  }

  private async fetchOlder(limit: number): Promise<void> {
    const { lines, lastSeq, hasOlder } = this.chat.read();
    if (!hasOlder) return;
    const first = lines[0]?.seq;
    this.chat.update((state) => ({ ...state, loadingOlder: true }));
    try {
      const page = await this.calls.page(limit, first ?? lastSeq + 1);
      this.chat.update((state) => {
        // Another page has come from elsewhere meanwhile: this one would leave a gap.
        if (state.lines[0]?.seq !== first) return { ...state, loadingOlder: false };
        return withOlder(state, page);
      });
    } catch (failure) {
      this.chat.update((state) => ({ ...state, loadingOlder: false }));
      if (failure instanceof ApiFailure && failure.status === 404) this.chat.ended("expired");
      else this.chat.complain(failure);
    }
  }

  private async fetch<Data>(ask: () => Promise<Data>): Promise<Data | undefined> {
    try {
      return await ask();
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.status === 404) this.chat.ended("expired");
      return undefined;
    }
  }
}
