import { CHAT_ID_LEN } from "@/shared/contract/limits";
import { realSocketEnvironment as socket } from "@/shared/live/LiveSocket";
import { showError } from "@/shared/notices";
import { deviceStorage } from "@/shared/storage";
import { carrySeat } from "./connection/ask";
import { roomCalls } from "./connection/roomCalls";
import { notifyOf } from "./notifications";
import { keptPictures } from "./sending/keptPictures";

import type { Upload } from "./sending/uploadBoth";
import { playArrived, playSent } from "./sounds";
import type { Storage } from "./storage";

/** Its code is loaded when a picture is chosen. */
const pictures = () => import("./sending/upload");

/** Everything outside itself that a room uses. Tests replace it. */
export type Environment = ReturnType<typeof realEnvironment>;

export function realEnvironment(room: string, expiresAt: number) {
  return {
    socket,
    now: Date.now,
    newId,
    storage: deviceStorage as Storage,
    page: browserPage,
    calls: roomCalls(room),
    shrink: async (file: Blob) => (await pictures()).shrink(file),
    upload: async (...picture: [...Parameters<Upload>, id?: string]) =>
      (await pictures()).upload(room, ...picture),
    kept: keptPictures(room, expiresAt),
    carrySeat,
    showError: showError as (words: string) => void,
    playSent,
    playArrived,
    notify: notifyOf,
  };
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A message's id. The random numbers are so large that every letter is equally likely. */
export function newId(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(CHAT_ID_LEN));
  return Array.from(numbers, (number) => ALPHABET[number % ALPHABET.length]).join("");
}

export type PageListener = {
  /** The page may have slept, or the network is back. */
  woke: () => void;
  offline: () => void;
  visibilityChanged: () => void;
};

/** What the browser knows about the page and the network. */
const browserPage = {
  // A browser that does not know counts as online.
  isOnline: () => navigator.onLine !== false,
  isVisible: () => document.visibilityState === "visible",
  isFocused: () => document.hasFocus(),
  listen: ({ woke, offline, visibilityChanged }: PageListener) => {
    const listening = new AbortController();
    const { signal } = listening;
    const changed = () => {
      visibilityChanged();
      if (document.visibilityState === "visible") woke();
    };
    window.addEventListener("online", woke, { signal });
    window.addEventListener("pageshow", woke, { signal });
    window.addEventListener("offline", offline, { signal });
    document.addEventListener("visibilitychange", changed, { signal });
    return () => listening.abort();
  },
};
