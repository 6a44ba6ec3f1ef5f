import { expect } from "vitest";
import { ApiFailure } from "@/shared/api/client";
import { refusalOf } from "@/shared/testing/refusalOf";
import { ChatRoom } from "../ChatRoom";
import type { RoomCalls } from "../connection/roomCalls";
import type { Environment, PageListener } from "../environment";
import type { Message } from "../model/chat";
import type { KeptPicture } from "../sending/keptPictures";
import { type FakeClock, FakeConnection, FakeRoom, ROOM } from "./fakeRoom";

function memoryStorage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

/** A browser's database, with only those functions that pictures need. */
function memoryPictures() {
  const kept = new Map<string, KeptPicture>();
  return {
    kept,
    isBroken: false,
    async keep(picture: KeptPicture) {
      if (!this.isBroken) kept.set(picture.id, picture);
      return !this.isBroken;
    },
    drop: async (id: string) => void kept.delete(id),
    has: async (id: string) => kept.has(id),
    all: async () => [...kept.values()].sort((one, other) => one.at - other.at),
    forget: async () => kept.clear(),
  };
}

/** Somebody in the room. The test decides what their browser does. */
export class FakePerson {
  readonly storage: ReturnType<typeof memoryStorage>;
  readonly pictures: ReturnType<typeof memoryPictures>;
  readonly errors: string[] = [];
  carries = false;
  readonly notified: string[] = [];
  readonly uploads: number[] = [];
  readonly sounds: ("sent" | "arrived")[] = [];
  isVisible = true;
  isFocused = true;
  uploadFails: (count: number) => number | undefined = () => undefined;
  page: PageListener | undefined;
  readonly chat: ChatRoom;
  private readonly room: FakeRoom;
  private readonly emoji: string;

  constructor(room: FakeRoom, emoji: string, storage = memoryStorage(), pictures = memoryPictures()) {
    this.room = room;
    this.pictures = pictures;
    this.emoji = emoji;
    this.storage = storage;
    const { clock } = room;
    const data = room.page(200);
    const start = { data, me: emoji, amCreator: false, expiresAt: data.expire_at * 1000 };
    this.chat = new ChatRoom(start, this.environment(clock));
    this.chat.start();
  }

  get state() {
    return this.chat.store.getState();
  }

  get messages(): Message[] {
    return this.state.lines.filter((line) => line.kind === "message");
  }

  get words(): string[] {
    return this.messages.map(({ words }) => words);
  }

  messageWith(words: string): Message {
    const found = this.messages.find((message) => message.words === words);
    if (!found) throw new Error(`no message has the words ${words}`);
    return found;
  }

  async loadAll() {
    while (this.state.hasOlder) await this.room.clock.pass(100, this.chat.loadOlder());
  }

  /** Closes the page, whatever it is doing, and opens it again. */
  reloaded(): FakePerson {
    this.chat.stop();
    return new FakePerson(this.room, this.emoji, this.storage, this.pictures);
  }

  private environment(clock: FakeClock): Environment {
    return {
      socket: {
        open: () => new FakeConnection(this.room, this.emoji) as unknown as WebSocket,
        later: clock.later,
        cancel: clock.cancel,
        random: this.room.random,
      },
      now: () => clock.now,
      newId: () =>
        Array.from({ length: 15 }, () => Math.floor(this.room.random() * 36).toString(36)).join(""),
      storage: this.storage,
      page: {
        isOnline: () => true,
        isVisible: () => this.isVisible,
        isFocused: () => this.isFocused,
        listen: (listener) => {
          this.page = listener;
          return () => {
            this.page = undefined;
          };
        },
      },
      calls: this.calls(),
      shrink: async (file) => {
        if (file.type === "text/plain") throw new Error("no picture");
        return { full: file, tiny: new Blob(["t"]), width: 40, height: 30 };
      },
      upload: async (_, onProgress) => {
        const count = this.uploads.push(clock.now);
        const hasNetwork = this.room.isUp;
        onProgress(1, 2);
        await new Promise<void>((resolve) => clock.later(resolve, 200));
        const status = hasNetwork ? this.uploadFails(count) : 0;
        if (status !== undefined)
          throw new ApiFailure(status, status === 0 ? undefined : refusalOf("group_holds_no_more_pictures"));
        onProgress(2, 2);
        return `/api/room/${ROOM}/image/${count}`;
      },
      kept: this.pictures,
      carrySeat: () => !this.carries,
      showError: (words) => this.errors.push(words),
      playSent: () => this.sounds.push("sent"),
      playArrived: () => this.sounds.push("arrived"),
      notify: (_, sender, meansMe) => this.notified.push(meansMe ? `@${sender}` : sender),
    };
  }

  private calls(): RoomCalls {
    const answer = async (give: () => unknown): Promise<never> => {
      await new Promise<void>((resolve) => this.room.clock.later(resolve, this.room.answersIn()));
      if (!this.room.isUp) throw new ApiFailure(0);
      return give() as never;
    };
    const calls: Partial<RoomCalls> = {
      page: (limit, before) => answer(() => this.room.page(limit, before)),
      refusal: () => answer(() => this.room.barred.get(this.emoji)),
    };
    return calls as RoomCalls;
  }
}

/** The key in local storage for pending messages. */
export const OUTBOX = `annon.outbox.${ROOM}`;

export const PICTURE = new Blob(["p".repeat(100)], { type: "image/jpeg" });

export const EMOJIS = ["🦊", "🐶", "🐱"];

/** A room, and people who have all entered it. */
export async function people(room = new FakeRoom(), emojis = EMOJIS) {
  for (const emoji of emojis) room.seat(emoji);
  const all = emojis.map((emoji) => new FakePerson(room, emoji));
  await room.clock.pass(500);
  return { room, clock: room.clock, all, one: all[0] as FakePerson, two: all[1] as FakePerson };
}

export const delivery = (person: FakePerson, at = 0) => person.messages[at]?.delivery;

export const inLog = (room: FakeRoom) => room.messages.map(({ message, caption }) => message || caption);

/** Fails unless the person is shown a part of the log without a gap. */
export function expectNoGap(person: FakePerson, room: FakeRoom) {
  const shown = person.state.lines.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
  const [first = 0, last = 0] = [shown[0], shown.at(-1)];
  const there = room.lines.map(({ seq }) => seq).filter((seq) => seq >= first && seq <= last);
  expect(shown).toEqual(there);
}
