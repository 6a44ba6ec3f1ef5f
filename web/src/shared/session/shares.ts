import { decoded, encoded } from "@/shared/base64url";
import { readCookies, writeCookie } from "@/shared/session/cookies";
import { deviceStorage } from "@/shared/storage";

/**
 * A cookie is sent with every page and every socket, and proxies may log it. So a value is split into two shares: a
 * random pad in local storage, new each time, and in the cookie the value combined with the pad. Each share alone is
 * noise.
 */
/** How a value was kept. It is not kept if cookies are blocked, and only until a reload if storage is blocked. */
export type WhereKept = "kept" | "for this page" | "not kept";

const PAD = "annon.pad.";
const SHARE = /^[\w-]{40,}$/;
/** Before the value is its length, after it at least this many zeros: with a wrong pad they would not be zeros. */
const LENGTH_BYTES = 2;
const ZEROS = 8;
/** Another tab sees a new cookie and a new pad at different moments, so it looks again after this time. */
const LOOK_AGAIN_MS = 1000;

/**
 * The cookie expires after `seconds`; then the pad is of no use. Shares are padded to a multiple of `block` bytes, so
 * that their length does not show the value's.
 */
export function keepShared(name: string, value: string, seconds: number, block: number): WhereKept {
  const framed = frame(value, block);
  const pad = crypto.getRandomValues(new Uint8Array(framed.length));
  writeCookie(name, encoded(combined(framed, pad)), seconds);
  const isStored = deviceStorage.setItem(PAD + name, encoded(pad));
  dropLonePads();
  if (joined(name) === value) return isStored ? "kept" : "for this page";
  forgetShared(name);
  return "not kept";
}

/** The value, if both shares are there and belong together. */
export function readShared(name: string): string | undefined {
  const value = joined(name);
  if (value !== undefined) return value;
  if (readCookies(name).some((cookie) => SHARE.test(cookie))) forgetUnlessJoined(name);
  else deviceStorage.removeItem(PAD + name);
  return undefined;
}

export function forgetShared(name: string) {
  // An expiry in the past: with a `max-age` of 0 the cookie would stay until the clock has advanced.
  writeCookie(name, "", -1);
  deviceStorage.removeItem(PAD + name);
}

export function sharedNames(): string[] {
  return deviceStorage.keys().flatMap((key) => (key.startsWith(PAD) ? [key.slice(PAD.length)] : []));
}

/** Removes a share without its other one, after a while: another tab may be about to write that. */
function forgetUnlessJoined(name: string) {
  setTimeout(() => {
    if (joined(name) === undefined) forgetShared(name);
  }, LOOK_AGAIN_MS);
}

function dropLonePads() {
  for (const name of sharedNames()) {
    if (readCookies(name).length === 0) deviceStorage.removeItem(PAD + name);
  }
}

function joined(name: string): string | undefined {
  const pad = bytesOf(deviceStorage.getItem(PAD + name) ?? "");
  if (!pad) return undefined;
  for (const cookie of readCookies(name)) {
    const share = bytesOf(cookie);
    const value = share?.length === pad.length ? unframed(combined(share, pad)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

function frame(value: string, block: number): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  const framed = new Uint8Array(Math.ceil((LENGTH_BYTES + bytes.length + ZEROS) / block) * block);
  new DataView(framed.buffer).setUint16(0, bytes.length);
  framed.set(bytes, LENGTH_BYTES);
  return framed;
}

function unframed(framed: Uint8Array): string | undefined {
  const end = LENGTH_BYTES + new DataView(framed.buffer).getUint16(0);
  if (end + ZEROS > framed.length || framed.subarray(end).some((byte) => byte !== 0)) return undefined;
  return new TextDecoder().decode(framed.subarray(LENGTH_BYTES, end));
}

function combined(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((byte, at) => byte ^ (other[at] ?? 0));
}

function bytesOf(share: string): Uint8Array | undefined {
  return SHARE.test(share) ? decoded(share) : undefined;
}
