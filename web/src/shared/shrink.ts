import { PICTURE_QUALITY, PICTURE_SENT_AS_IS_BYTES, PICTURE_SIDE } from "@/shared/contract/limits";
import { canvasBytes } from "@/shared/files";

export type Size = { width: number; height: number };

/** Formats that the server can read. A picture in another format is drawn again as JPEG. */
export const READABLE = ["image/jpeg", "image/png", "image/webp"];

/** The size of the same shape with its longest side at most `side`, and no side zero. */
export function fitted({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

export function isKept(file: { size: number; type: string }, { width, height }: Size): boolean {
  const isSmall = file.size <= PICTURE_SENT_AS_IS_BYTES && Math.max(width, height) <= PICTURE_SIDE;
  return isSmall && READABLE.includes(file.type);
}

/** Gives a picture's pixels to `work`. Throws if the browser can't read the file. */
export async function fromPixels<Made>(
  file: Blob,
  work: (bitmap: ImageBitmap) => Promise<Made>,
): Promise<Made> {
  // The decoder applies the camera's orientation, because the picture that is sent has no tag for it.
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    return await work(bitmap);
  } finally {
    bitmap.close();
  }
}

/** The picture as it is sent: not larger than the server stores it. */
export async function asSent(file: Blob, bitmap: ImageBitmap): Promise<Blob> {
  return isKept(file, bitmap) ? file : shrunk(bitmap, PICTURE_SIDE);
}

export function shrunk(bitmap: ImageBitmap, side: number): Promise<Blob> {
  const { width, height } = fitted(bitmap, side);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas to draw on");
  // JPEG has no transparency: without this it would be black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  return canvasBytes(canvas, "image/jpeg", PICTURE_QUALITY / 100);
}
