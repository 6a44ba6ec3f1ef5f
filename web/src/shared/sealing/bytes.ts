/** Bytes of one buffer, as the browser's cryptography takes them. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** What a text is padded to, in bytes: its length tells little, then. */
const SIZES = [64, 256, 1024, 2048, 4096];

/** Stands behind the padded bytes, before the zeros. */
const END = 0x80;

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** The text of bytes. Throws if they are none. */
export const textOf = (bytes: Bytes): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

export function joined(...all: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of all) {
    bytes.set(one, at);
    at += one.length;
  }
  return bytes;
}

/** What a seal is bound to: each part behind its length in two bytes, so that no two lists give the same bytes. */
export function parts(...all: readonly (string | Uint8Array)[]): Bytes {
  const bytes = all.map((part) => (typeof part === "string" ? utf8(part) : part));
  return joined(...bytes.flatMap((part) => [new Uint8Array([part.length >> 8, part.length & 255]), part]));
}

/** Pads a text to the next of the sizes. Throws if it is longer than the longest. */
export function padded(bytes: Uint8Array, sizes: readonly number[] = SIZES): Bytes {
  const size = sizes.find((size) => size > bytes.length);
  if (size === undefined) throw new Error("too long to be sealed");
  return filled(bytes, size);
}

/** Pads bytes to the next multiple of `step`. */
export function paddedTo(bytes: Uint8Array, step: number): Bytes {
  return filled(bytes, (Math.floor(bytes.length / step) + 1) * step);
}

function filled(bytes: Uint8Array, size: number): Bytes {
  const all = new Uint8Array(size);
  all.set(bytes);
  all[bytes.length] = END;
  return all;
}

/** The bytes before the padding. Throws if there is none. */
export function unpadded(bytes: Bytes): Bytes {
  let end = bytes.length - 1;
  while (end >= 0 && bytes[end] === 0) end -= 1;
  if (bytes[end] !== END) throw new Error("no padding");
  return bytes.subarray(0, end);
}
