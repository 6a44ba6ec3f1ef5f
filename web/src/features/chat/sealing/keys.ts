import { decoded, encoded } from "@/shared/base64url";
import { SEALED_CHECK_BYTES } from "@/shared/contract/limits";
import { derived, secretOf } from "@/shared/hkdf";
import { derivedKey, drawn } from "@/shared/sealing/seal";

const KEY_BYTES = 32;

/** What follows from a group's key: a key for each use, and what tells the right key from a wrong one. */
export type Keys = {
  /** The group's key as it stands in the link. */
  link: string;
  text: CryptoKey;
  picture: CryptoKey;
  name: CryptoKey;
  /** For what is kept on the device. */
  device: CryptoKey;
  check: string;
};

/** The key of a new group. It stands only in the link, behind the "#", and no browser sends that. */
export const newKey = () => encoded(drawn(KEY_BYTES));

/** The keys that follow from that of a link; undefined if it can't be one, as when the link was cut off. */
export async function keysOf(link: string): Promise<Keys | undefined> {
  const bytes = decoded(link);
  if (bytes?.length !== KEY_BYTES) return undefined;
  const from = await secretOf(bytes);
  const use = (what: string) => `annon sealed ${what} 1`;
  const key = (what: string) => derivedKey(from, use(what));
  const [text, picture, name, device] = await Promise.all([
    key("text"),
    key("picture"),
    key("name"),
    key("device"),
  ]);
  return {
    link,
    text,
    picture,
    name,
    device,
    check: encoded(await derived(from, use("check"), SEALED_CHECK_BYTES)),
  };
}
