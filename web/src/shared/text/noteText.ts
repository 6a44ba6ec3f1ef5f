import { note } from "./en/note";
import { inUse } from "./language";

export type NoteText = typeof note;

const others = import.meta.glob<NoteText>(["./*/note.ts", "!./en/*"], { import: "note" });

export const noteText = await inUse(note, others);
