import { decoded, encoded } from "../base64url";
import { type Bytes, utf8 } from "./bytes";
import { drawn, keyFrom, lock, unlock } from "./seal";

/** How one device hands the private key of an inbox to another: what the server keeps, and the key of the QR code. */
type Handover = { wrapped: string; once: string };

const ABOUT = utf8("annon inbox handover 1");
const KEY_BYTES = 32;

/** Wraps a private key (PKCS#8) with a key that is used once. */
export async function handOver(pkcs8: Bytes): Promise<Handover> {
  const once = drawn(KEY_BYTES);
  return { wrapped: encoded(await lock(await keyFrom(once), ABOUT, pkcs8)), once: encoded(once) };
}

/** The private key that was handed over; undefined if it was with another key. */
export async function takeOver({ wrapped, once }: Handover): Promise<Bytes | undefined> {
  const [bytes, sealed] = [decoded(once), decoded(wrapped)];
  if (bytes?.length !== KEY_BYTES || !sealed) return undefined;
  return unlock(await keyFrom(bytes), ABOUT, sealed).catch(() => undefined);
}
