import { appText } from "@/shared/text/appText";
import { NOTE_MIN } from "@/shared/wire/limits";

/** The text area caps the length, so a note can only be too short; blanks around it don't count. */
export function checkNote(message: string): string | undefined {
  return Array.from(message.trim()).length < NOTE_MIN ? appText.note.tooShort : undefined;
}
