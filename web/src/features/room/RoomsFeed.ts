import { create } from "zustand";
import { api, type Schemas } from "@/shared/api/api";
import { ApiFailure } from "@/shared/api/client";
import { seenOf } from "@/shared/keptRooms";
import { keepCreator, token } from "@/shared/session/session";

/** A group of the account, when it ends by this device's clock, and how many messages this device hasn't shown. */
export type RoomItem = Schemas["RoomItem"] & { ends: number; unread: number };

type Standing = Schemas["RoomStanding"];

type Rooms = { rooms: RoomItem[] | "offline" | undefined };

export const useRooms = create<Rooms>(() => ({ rooms: undefined }));

/** How many messages are new in all groups. */
export function newMessages({ rooms }: Rooms): number {
  return Array.isArray(rooms) ? rooms.reduce((sum, { unread }) => sum + unread, 0) : 0;
}

/** Keeps the list of the account's groups up to date: loads it, and changes it after frames of the inbox's socket. */
export class RoomsFeed {
  private readonly username: string;
  private readonly forget: (id: string) => Promise<void>;
  private stopped = false;
  /** How many frames have come, and the last one about each group. */
  private received = 0;
  private readonly heard = new Map<string, { at: number; standing: Standing | undefined }>();

  /** `forget` removes what the device keeps of a group. */
  constructor(username: string, forget: (id: string) => Promise<void>) {
    this.username = username;
    this.forget = forget;
  }

  start() {
    this.stopped = false;
    useRooms.setState({ rooms: undefined });
    window.addEventListener("storage", this.countUnread);
  }

  stop() {
    this.stopped = true;
    window.removeEventListener("storage", this.countUnread);
    useRooms.setState({ rooms: undefined });
  }

  /** Loads the list. Throws a refusal; without a network the groups that are shown stay. */
  async load() {
    const asked = this.received;
    const found = await myRooms(this.username);
    this.update((shown) =>
      found === "offline" ? (shown ?? found) : found.flatMap((room) => this.since(asked, room)),
    );
  }

  /** The group, as the last frame about it says if that came after the list was asked for. */
  private since(asked: number, room: RoomItem): RoomItem[] {
    const last = this.heard.get(room.id);
    if (last === undefined || last.at <= asked) return [room];
    return last.standing ? [counted({ ...room, standing: last.standing })] : [];
  }

  /** The socket is open: frames may have been lost until now. If the list can't be loaded, the shown one stays. */
  readonly ready = () => void this.load().catch(() => {});

  /** A frame of the socket. Those of the inbox are somebody else's. */
  receive({ event, id, standing }: Partial<Schemas["OwnRoomFrame"]>) {
    if (event !== "event.room" || id === undefined) return;
    this.received += 1;
    this.heard.set(id, { at: this.received, standing });
    const { rooms } = useRooms.getState();
    if (!Array.isArray(rooms)) return;
    if (!standing) void this.drop(id);
    else if (rooms.some((room) => room.id === id))
      this.each((room) => (room.id === id ? counted({ ...room, standing }) : room));
    // It was created on another page.
    else this.ready();
  }

  /** A group has ended, or was deleted. Otherwise it would still be in the list of those that the device has joined. */
  async drop(gone: string) {
    // If this fails, the landing page removes the rest later.
    await this.forget(gone).catch(() => {});
    this.update((shown) => (Array.isArray(shown) ? shown.filter(({ id }) => id !== gone) : shown));
  }

  /** A group's page in another tab writes what it has shown. */
  private readonly countUnread = () => this.each(counted);

  private each(change: (room: RoomItem) => RoomItem) {
    this.update((shown) => (Array.isArray(shown) ? shown.map(change) : shown));
  }

  private update(change: (shown: Rooms["rooms"]) => Rooms["rooms"]) {
    if (!this.stopped) useRooms.setState(({ rooms }) => ({ rooms: change(rooms) }));
  }
}

/** Counts the new messages. A group that this device never showed has none: nobody knows which were read. */
function counted<Item extends Schemas["RoomItem"]>(room: Item): Item & { unread: number } {
  const count = room.standing?.message_count ?? 0;
  return { ...room, unread: Math.max(0, count - (seenOf(room.id) ?? count)) };
}

/** The account's own groups; `offline` if there is no network. Throws a refusal. */
async function myRooms(creator: string): Promise<RoomItem[] | "offline"> {
  try {
    const { data } = await api("get", "/api/rooms", { token: token() ?? "" });
    // The room's page reads here who created the group.
    for (const { id } of data) keepCreator(id, creator);
    const now = Date.now();
    return data.map((room) => ({ ...counted(room), ends: now + room.seconds_left * 1000 }));
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status === 0) return "offline";
    throw failure;
  }
}
