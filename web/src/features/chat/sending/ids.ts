import { CHAT_ID_LEN } from "@/shared/contract/limits";

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
