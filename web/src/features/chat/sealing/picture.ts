import { PICTURE_MAX_SIDE, SEALED_PICTURE_STEP } from "@/shared/contract/limits";
import { type Bytes, paddedTo, parts, unpadded } from "@/shared/sealing/bytes";
import { drawn, open, seal } from "@/shared/sealing/seal";
import type { Keys } from "./keys";

/** What a picture is sealed to. */
type Place = { room: string; id: string };

const aadOf = ({ room, id }: Place) => parts("annon picture 1", room, id);

/** The first bytes of every JPEG. */
const JPEG = [0xff, 0xd8, 0xff];

/** A picture as the server keeps it. */
export async function sealPicture(
  keys: Pick<Keys, "picture">,
  place: Place,
  jpeg: Blob,
  draw = drawn,
): Promise<Bytes> {
  const bytes = new Uint8Array(await jpeg.arrayBuffer());
  return seal(keys.picture, aadOf(place), paddedTo(bytes, SEALED_PICTURE_STEP), draw);
}

/** A picture of this place. Throws if it doesn't open, or if it isn't a JPEG that the browser can draw. */
export async function openPicture(keys: Pick<Keys, "picture">, place: Place, sealed: Bytes): Promise<Blob> {
  const bytes = unpadded(await open(keys.picture, aadOf(place), sealed));
  if (JPEG.some((byte, at) => bytes[at] !== byte)) throw new Error("no JPEG");
  const jpeg = new Blob([bytes], { type: "image/jpeg" });
  const { width, height, close } = await drawnOnce(jpeg);
  close();
  if (Math.max(width, height) > PICTURE_MAX_SIDE) throw new Error("too large a picture");
  return jpeg;
}

async function drawnOnce(jpeg: Blob) {
  const bitmap = await createImageBitmap(jpeg);
  return { width: bitmap.width, height: bitmap.height, close: () => bitmap.close() };
}
