import type { Message } from "../model/chat";
import { changed, dismissed, queued } from "../model/events";
import type { Chat } from "../model/reduce";
import { deliveryOf, type Item, isSettled, previewOf } from "./item";
import { ownMessage } from "./messages";

/** The lines a room shows. */
export type Lines = {
  read: () => Chat;
  update: (change: (state: Chat) => Chat) => void;
};

/** One's own messages among the lines of a room. */
export class OwnLines {
  private readonly lines: Lines;

  constructor(lines: Lines) {
    this.lines = lines;
  }

  get me() {
    return this.lines.read().me;
  }

  /** Those with a place in the log. */
  settled(): Message[] {
    return this.lines.read().lines.filter(isSettled);
  }

  show(item: Item, isConnected: boolean) {
    const { id, stage, copy } = item;
    const picture = item.picture ?? (copy ? previewOf(copy) : null);
    const delivery = deliveryOf(stage, isConnected);
    this.lines.update((state) => {
      const message = ownMessage(state.me, { ...item, picture }, delivery);
      // What is shown already has another picture now, and is further on its way.
      return changed(queued(state, message), id, { picture, delivery });
    });
  }

  change(id: string, change: Partial<Message>) {
    this.lines.update((state) => changed(state, id, change));
  }

  remove(id: string) {
    this.lines.update((state) => dismissed(state, id));
  }
}
