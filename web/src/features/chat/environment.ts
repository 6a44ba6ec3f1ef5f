import { CHAT_ID_LEN } from "@/shared/contract/limits";
import {
  type Environment as SocketEnvironment,
  realEnvironment as socketEnvironment,
} from "@/shared/live/LiveSocket";
import { complain } from "@/shared/notices";
import { deviceStorage } from "@/shared/storage";
import { carrySeat } from "./connection/ask";
import { browserPage, type Page } from "./connection/page";
import { type RoomCalls, roomCalls } from "./connection/roomCalls";
import type { Emoji, RoomInfo } from "./model/chat";
import { notifyOf } from "./notifications";
import { type KeptPictures, keptPictures } from "./sending/keptPictures";
import { type Shrunk, shrink } from "./sending/Uploader";
import { type Upload, upload } from "./sending/upload";
import { playArrived, playSent } from "./sounds";
import type { Storage } from "./storage";

/** Everything a room needs of the world outside it. A test gives it another one. */
export type Environment = {
  socket: SocketEnvironment;
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
  notify: (room: RoomInfo, sender: Emoji, meansMe: boolean) => void;
};

export function realEnvironment(room: string, expiresAt: number): Environment {
  return {
    socket: socketEnvironment,
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

/** A message's id: random enough never to come twice. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CHAT_ID_LEN));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join("");
}
