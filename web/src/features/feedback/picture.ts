import { appText } from "@/shared/text/appText";
import { PICTURE_MAX_BYTES } from "@/shared/wire/limits";

export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/webp"];

/** What keeps a file from being sent along, if anything. */
export function checkPicture({ type, size }: Pick<File, "type" | "size">): string | undefined {
  if (!PICTURE_TYPES.includes(type)) return appText.feedback.pictureType;
  return size > PICTURE_MAX_BYTES ? appText.feedback.pictureSize : undefined;
}
