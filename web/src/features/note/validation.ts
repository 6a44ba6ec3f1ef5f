import { NOTE_MIN } from "@/shared/contract/limits";
import { appText } from "@/shared/text/appText";
import { isBlank } from "@/shared/text/blank";
import { characters } from "@/shared/text/characters";

/** The text area caps the length, so a note can only be too short; blanks around it don't count. */
export function checkNote(message: string): string | undefined {
  const isShort = isBlank(message) || characters(message.trim()) < NOTE_MIN;
  return isShort ? appText.codes.note_too_short : undefined;
}
