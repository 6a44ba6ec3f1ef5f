import { copyAndTell } from "@/shared/copyAndTell";
import { appText } from "@/shared/text/appText";

/** Hands a room's link to the system's share sheet; a browser that has none copies it. */
export async function shareRoom(name: string, link: string) {
  if (typeof navigator.share !== "function") return copyAndTell(link, appText.groups.copied);
  // Closing the sheet is no failure.
  return navigator.share({ title: name, url: link }).catch(() => {});
}
