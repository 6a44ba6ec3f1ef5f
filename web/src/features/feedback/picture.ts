import { asSent, fromPixels, READABLE } from "@/shared/redraw";
import { appText } from "@/shared/text/appText";

/** What keeps a file from being sent along, if anything. */
export function checkPicture({ type }: Pick<File, "type">): string | undefined {
  return READABLE.includes(type) ? undefined : appText.feedback.pictureType;
}

/** A phone's photo is larger than the server takes. What can't be drawn here goes as it is: the server has its say. */
export function shrunk(picture: File): Promise<Blob> {
  return fromPixels(picture, (bitmap) => asSent(picture, bitmap)).catch(() => picture);
}
