import { keepOutbox, keptOutbox, type Storage } from "../storage";
import { type Entry, entryOf, type Item } from "./item";

/** The items of a room that can be sent as they are, in local storage: all tabs of a seat share them. */
export class KeptWords {
  private readonly storage: Storage;
  private readonly room: string;

  constructor(storage: Storage, room: string) {
    this.storage = storage;
    this.room = room;
  }

  all(): Entry[] {
    return keptOutbox(this.storage, this.room).filter(isEntry);
  }

  keep(item: Item) {
    // Another tab of the same seat may have uploaded the same picture.
    const others = this.all().filter(({ id }) => id !== item.id);
    keepOutbox(this.storage, this.room, [...others, entryOf(item)]);
  }

  drop(id: string) {
    const kept = this.all();
    const others = kept.filter((entry) => entry.id !== id);
    if (others.length < kept.length) keepOutbox(this.storage, this.room, others);
  }
}

function isEntry(kept: unknown): kept is Entry {
  const { id, words, at } = (kept ?? {}) as Partial<Entry>;
  return typeof id === "string" && typeof words === "string" && typeof at === "number";
}
