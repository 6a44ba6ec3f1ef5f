import { isBlank } from "@/shared/text/blank";

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
