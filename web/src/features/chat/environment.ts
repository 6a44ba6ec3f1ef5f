import { CHAT_ID_LEN } from "@/shared/contract/limits";
import { realEnvironment as socket } from "@/shared/live/LiveSocket";
import { complain } from "@/shared/notices";
import { deviceStorage } from "@/shared/storage";
import { carrySeat } from "./connection/ask";
import { browserPage } from "./connection/page";
import { roomCalls } from "./connection/roomCalls";
import { notifyOf } from "./notifications";
import { keptPictures } from "./sending/keptPictures";
import { shrink, upload } from "./sending/upload";
import { playArrived, playSent } from "./sounds";
import type { Storage } from "./storage";

/** Everything a room needs of the world outside it. A test gives it another one. */
export type Environment = ReturnType<typeof realEnvironment>;

export function realEnvironment(room: string, expiresAt: number) {
  return {
    socket,
    now: Date.now,
    newId,
    storage: deviceStorage as Storage,
    page: browserPage,
    calls: roomCalls(room),
    shrink,
    upload: upload.bind(null, room),
    kept: keptPictures(room, expiresAt),
    carrySeat,
    complain: complain as (words: string) => void,
    playSent,
    playArrived,
    notify: notifyOf,
  };
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A message's id. Bytes from 248 on are thrown away, or the first letters would come more often. */
export function newId(randomBytes: (count: number) => Uint8Array = cryptoBytes): string {
  const fair = ALPHABET.length * Math.floor(256 / ALPHABET.length);
  let id = "";
  while (id.length < CHAT_ID_LEN) {
    for (const byte of randomBytes(CHAT_ID_LEN)) {
      if (byte < fair && id.length < CHAT_ID_LEN) id += ALPHABET[byte % ALPHABET.length];
    }
  }
  return id;
}

function cryptoBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
