import { type World as SocketWorld, realWorld as socketWorld } from "@/shared/live/LiveSocket";
import { complain } from "@/shared/notices";
import { deviceStorage } from "@/shared/storage";
import { browserPage, type Page } from "./connection/page";
import { type RoomCalls, roomCalls } from "./connection/roomCalls";
import { carrySeat } from "./early/ask";
import type { Face, RoomInfo } from "./model/chat";
import { notifyOf } from "./notifications";
import { newId } from "./sending/ids";
import { type KeptPictures, keptPictures } from "./sending/keptPictures";
import { type Shrunk, shrink } from "./sending/shrink";
import { type Upload, upload } from "./sending/upload";
import { playArrived, playSent } from "./sounds";
import type { Storage } from "./storage";

/** Everything a room needs of the world outside it. A test gives it another one. */
export type World = {
  socket: SocketWorld;
  now: () => number;
  newId: () => string;
  storage: Storage;
  page: Page;
  calls: RoomCalls;
  shrink: (file: Blob) => Promise<Shrunk>;
  upload: Upload;
  kept: KeptPictures;
  /** Has the page carry the seat; false if it does already. */
  carrySeat: () => boolean;
  complain: (words: string) => void;
  playSent: () => void;
  playArrived: () => void;
  notify: (room: RoomInfo, sender: Face, meansMe: boolean) => void;
};

export function realWorld(room: string, expiresAt: number): World {
  return {
    socket: socketWorld,
    now: Date.now,
    newId,
    storage: deviceStorage,
    page: browserPage,
    calls: roomCalls(room),
    shrink,
    upload: (picture, onProgress, signal) => upload(room, picture, onProgress, signal),
    kept: keptPictures(room, expiresAt),
    carrySeat,
    complain,
    playSent,
    playArrived,
    notify: notifyOf,
  };
}
