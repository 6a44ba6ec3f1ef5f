import type { Message, Picture } from "../model/chat";
import { changed, dismissed, queued } from "../model/happenings";
import type { Chat } from "../model/reduce";
import { deliveryOf, type Item, isSettled } from "./item";
import { ownMessage } from "./messages";
import { Previews } from "./Previews";
import type { Shrunk } from "./Uploader";

/** The lines a room shows. */
export type Lines = {
  read: () => Chat;
  update: (change: (state: Chat) => Chat) => void;
};

/** One's own messages among the lines of a room, and the previews of their pictures. */
export class OwnLines {
  readonly previews = new Previews((id, address) => this.serve(id, address));
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
    const picture = item.picture ?? (copy ? this.preview(id, copy.shrunk) : null);
    const delivery = deliveryOf(stage, isConnected);
    this.lines.update((state) => {
      const message = ownMessage(state.me, { ...item, picture }, delivery);
      // A page that is looked at again has the message already, and its picture at an address of before.
      return changed(queued(state, message), id, { picture, delivery });
    });
  }

  change(id: string, change: Partial<Message>) {
    this.lines.update((state) => changed(state, id, change));
  }

  remove(id: string) {
    this.previews.drop(id);
    this.lines.update((state) => dismissed(state, id));
  }

  private preview(id: string, { full, width, height }: Shrunk): Picture {
    return { full: this.previews.of(id, full), tiny: null, width, height, format: full.type };
  }

  private serve(id: string, full: string) {
    const shown = this.lines.read().lines.findLast((line) => line.kind === "message" && line.id === id);
    if (shown?.kind === "message" && shown.picture) {
      this.change(id, { picture: { ...shown.picture, full, format: undefined } });
    }
  }
}
