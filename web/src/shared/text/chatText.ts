import { enChat } from "./enChat";
import { language } from "./language";

export type ChatText = typeof enChat;

/** The words of a group's screen, loaded with it. */
export const chatText: ChatText = language() === "de" ? (await import("./deChat")).deChat : enChat;
