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

/** A message's id: random enough never to come twice. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CHAT_ID_LEN));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join("");
}
