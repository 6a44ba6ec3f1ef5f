import { ApiFailure } from "@/shared/api/client";
import { isBlank } from "@/shared/text/blank";
import { chatText } from "@/shared/text/chatText";
import { browserPage } from "./page";

/** As the server will have it: one kind of line break, no blank ends, no control characters, or nothing at all. */
export function tidy(words: string): string {
  if (isBlank(words)) return "";
  return (
    words
      .replace(/\r\n?/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
      .trim()
  );
}

/** A sentence of the server's, in the language of the page. */
export function said(sentence: string): string {
  return chatText.model.serverSays[sentence] ?? sentence;
}

/** What to tell a person about a failed call. */
export function whyFailed(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return chatText.model.failed;
  if (failure.status === 0) return browserPage.isOnline() ? chatText.model.noAnswer : chatText.model.offline;
  return said(failure.message) || chatText.model.failed;
}
