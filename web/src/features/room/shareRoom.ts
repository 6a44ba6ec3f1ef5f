import { copyAndTell } from "@/shared/copyAndTell";
import { handOn } from "@/shared/links";
import { appText } from "@/shared/text/appText";

/** Hands a room's link to the system's share sheet; a browser that has none copies it. */
export async function shareRoom(name: string, link: string) {
  if (typeof navigator.share !== "function") return copyAndTell(link, appText.groups.copied);
  return handOn({ title: name, url: link });
}
