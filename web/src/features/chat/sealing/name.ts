import { decoded, encoded } from "@/shared/base64url";
import { padded, parts, textOf, unpadded, utf8 } from "@/shared/sealing/bytes";
import { drawn, open, seal } from "@/shared/sealing/seal";
import type { Keys } from "./keys";

const ABOUT = parts("annon name 1");

/** A group's name as the server keeps it. */
export async function sealName(
  { name: key }: Pick<Keys, "name">,
  name: string,
  draw = drawn,
): Promise<string> {
  return encoded(await seal(key, ABOUT, padded(utf8(name)), draw));
}

/** The group's name; undefined if it doesn't open. */
export async function openName(
  { name: key }: Pick<Keys, "name">,
  sealed: string,
): Promise<string | undefined> {
  try {
    const bytes = unpadded(await open(key, ABOUT, decoded(sealed) ?? new Uint8Array()));
    return textOf(bytes);
  } catch {
    return undefined;
  }
}
