import { copyText } from "@/shared/clipboard";
import { complain, tell } from "@/shared/notices";
import { appText } from "@/shared/text/appText";

/** Copies and says so. */
export async function copyAndTell(text: string, said: string) {
  if (await copyText(text)) tell(said);
  else complain(appText.notices.notCopied);
}
