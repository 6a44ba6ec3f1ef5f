import { decoded, encoded } from "@/shared/base64url";
import { type Bytes, parts, utf8 } from "@/shared/sealing/bytes";
import { open, seal } from "@/shared/sealing/seal";
import type { KeptPicture, KeptPictures } from "../sending/keptPictures";
import type { Storage } from "../storage";
import type { Keys } from "./keys";
import { forgetSigner } from "./signers";

type DeviceKey = Pick<Keys, "device">;

const aadOf = (place: string) => parts("annon device 1", place);

async function opened({ device }: DeviceKey, place: string, sealed: Bytes): Promise<Bytes | undefined> {
  return open(device, aadOf(place), sealed).catch(() => undefined);
}

/**
 * The device's storage, in which the values of these keys are sealed: who opens the device without the group's link
 * can't read them. Writing takes a moment; until then, and while the page is open, memory has them.
 */
export async function sealedStorage(
  keys: DeviceKey,
  storage: Storage,
  sealedKeys: string[],
): Promise<Storage> {
  const values = new Map<string, string>();
  for (const key of sealedKeys) {
    const bytes = await opened(keys, key, decoded(storage.getItem(key) ?? "") ?? new Uint8Array());
    if (bytes) values.set(key, new TextDecoder().decode(bytes));
  }
  // All tabs of a seat share what is kept.
  window.addEventListener("storage", async ({ key, newValue }) => {
    if (key === null || !sealedKeys.includes(key)) return;
    const bytes = await opened(keys, key, decoded(newValue ?? "") ?? new Uint8Array());
    if (bytes) values.set(key, new TextDecoder().decode(bytes));
    else values.delete(key);
  });
  let writing: Promise<unknown> = Promise.resolve();

  /** Writes what the value is by then: of several changes in a row, each write has the last. */
  const write = (key: string) => {
    writing = writing.then(async () => {
      const value = values.get(key);
      const sealed = value === undefined ? undefined : await seal(keys.device, aadOf(key), utf8(value));
      // It may have been removed meanwhile.
      if (sealed && values.has(key)) storage.setItem(key, encoded(sealed));
    });
  };

  return {
    getItem: (key) => (sealedKeys.includes(key) ? (values.get(key) ?? null) : storage.getItem(key)),
    setItem: (key, value) => {
      if (!sealedKeys.includes(key)) return storage.setItem(key, value);
      values.set(key, value);
      write(key);
    },
    removeItem: (key) => {
      values.delete(key);
      storage.removeItem(key);
    },
  };
}

/** A picture's record while it is kept: nothing of it can be read without the group's key. */
type Hidden = Pick<KeptPicture, "caption" | "reply" | "shrunk" | "why">;

/** The pictures that wait on the device, sealed. */
export function sealedPictures(room: string, keys: DeviceKey, kept: KeptPictures): KeptPictures {
  const sealedBlob = async (id: string, form: string, blob: Blob) =>
    new Blob([await seal(keys.device, aadOf(`${form} ${id}`), new Uint8Array(await blob.arrayBuffer()))]);
  const openedBlob = async (id: string, form: string, blob: Blob) => {
    const bytes = await opened(keys, `${form} ${id}`, new Uint8Array(await blob.arrayBuffer()));
    return bytes && new Blob([bytes], { type: "image/jpeg" });
  };

  return {
    ...kept,
    keep: async (picture) => {
      const { id, at, caption, reply, why } = picture;
      const { full, tiny, width, height } = picture.shrunk;
      const hidden = utf8(JSON.stringify({ caption, reply, why, width, height }));
      const words = encoded(await seal(keys.device, aadOf(`words ${id}`), hidden));
      const shrunk = {
        width: 0,
        height: 0,
        full: await sealedBlob(id, "full", full),
        tiny: await sealedBlob(id, "tiny", tiny),
      };
      return kept.keep({ id, at, caption: words, reply: null, why: undefined, shrunk });
    },
    /** The room is over for this browser. */
    forget: async () => {
      await kept.forget();
      await forgetSigner(room);
    },
    all: async () => {
      const all = await Promise.all((await kept.all()).map(openedPicture));
      return all.filter((picture) => picture !== undefined);
    },
  };

  async function openedPicture({ id, at, caption, shrunk }: KeptPicture): Promise<KeptPicture | undefined> {
    const words = await opened(keys, `words ${id}`, decoded(caption) ?? new Uint8Array());
    const full = await openedBlob(id, "full", shrunk.full);
    const tiny = await openedBlob(id, "tiny", shrunk.tiny);
    if (!words || !full || !tiny) return undefined;
    const { width, height, ...rest } = JSON.parse(new TextDecoder().decode(words)) as Hidden & {
      width: number;
      height: number;
    };
    return {
      id,
      at,
      caption: rest.caption,
      reply: rest.reply,
      why: rest.why,
      shrunk: { full, tiny, width, height },
    };
  }
}
