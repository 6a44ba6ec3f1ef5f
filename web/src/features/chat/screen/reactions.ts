import { useMemo } from "react";
import { chatText } from "@/shared/text/chatText";
import type { Emoji, Message } from "../model/chat";
import { type Reaction, shownReactions } from "../model/reactions";
import { useChat } from "./chatContext";
import { listed } from "./named";

const NAMES: Record<string, readonly string[]> = chatText.screen.reactions.signs;

/** The reactions to a message, with those that the reader has just chosen. */
export function useReactions({ seq = 0 }: Pick<Message, "seq">): readonly Reaction[] {
  const reacted = useChat((chat) => chat.reacted.get(seq));
  const wishes = useChat((chat) => chat.wished.get(seq));
  const me = useChat((chat) => chat.me);
  return useMemo(() => shownReactions(reacted, wishes, me), [reacted, wishes, me]);
}

/** A reaction's name. One that is not at hand stands for itself: a screen reader knows its name. */
export function signName(sign: string, count = 1): string {
  return NAMES[sign]?.[count === 1 ? 0 : 1] ?? sign;
}

/** "Reactions: 2 hearts, 1 laugh" */
export function summaryOf(reactions: readonly Reaction[]): string {
  const counts = reactions.map(({ sign, from }) => `${from.length} ${signName(sign, from.length)}`);
  return chatText.screen.reactions.summary(counts.join(", "));
}

/** "heart: Fox and you; laugh: Bear" */
export function whoReacted(reactions: readonly Reaction[], me: Emoji): string {
  return reactions.map(({ sign, from }) => `${signName(sign)}: ${namesOf(from, me)}`).join("; ");
}

function namesOf(from: readonly Emoji[], me: Emoji): string {
  const others = from.filter((emoji) => emoji !== me);
  return listed(others, ...(others.length < from.length ? [chatText.screen.you] : []));
}
