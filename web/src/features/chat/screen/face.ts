import { chatText } from "@/shared/text/chatText";
import type { Face } from "../model/chat";

/** What a face is called, for those who hear it. */
export function faceName(face: Face): string {
  return chatText.screen.faces[face] ?? face;
}
