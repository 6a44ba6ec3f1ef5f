import { sealedNote } from "./en/sealedNote";
import { inUse } from "./language";

export type SealedNoteText = typeof sealedNote;

const others = import.meta.glob<SealedNoteText>(["./*/sealedNote.ts", "!./en/*"], { import: "sealedNote" });

export const sealedNoteText = await inUse(sealedNote, others);
