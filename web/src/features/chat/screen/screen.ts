import { createStore, type StoreApi } from "zustand/vanilla";
import type { Emoji } from "../model/chat";

/** A point of the screen, or with a height the row that the menu must not cover. */
type MenuPoint = { x: number; y: number; height?: number };

/** Where a message's menu opens, and the element that gets the focus back. */
export type MenuPlace = { key: string; point: MenuPoint; from: HTMLElement };

/** A menu or dialog over the screen. `from` is the button that opened the menu. */
export type Overlay =
  | { is: "roomMenu"; from: HTMLElement }
  | ({ is: "messageMenu" } & MenuPlace)
  | { is: "seatMenu"; emoji: Emoji; from: HTMLElement }
  /** The preview of pictures that were chosen and not sent yet. */
  | { is: "preview"; pictures: readonly File[] }
  /** The picture of the message with this key. */
  | { is: "viewer"; key: string }
  /** All reactions, for the message with this key. */
  | { is: "reactionPicker"; key: string }
  /** The report of the message with this key. */
  | { is: "report"; key: string }
  | { is: "kick"; emoji: Emoji }
  /** Another sealed group, without this member. */
  | { is: "allBut"; emoji: Emoji }
  | { is: "question"; about: "lock" | "newLink" | "close" | "leave" }
  /** What this browser tells of while no page is open. */
  | { is: "away" }
  /** The group's link as a QR code for another phone. */
  | { is: "invite" };

/** What is open on this screen, and what the reader looks at. It is lost with a reload. */
export type Screen = {
  open: Overlay | undefined;
  /** The `seq` of the message that is being answered. */
  replyTo: number | undefined;
  /** The key of the row that the reader jumped to, for a moment. */
  highlighted: string | undefined;
  /** Whether the list of members is shown over the log, and, if there is space, beside it. */
  membersShown: boolean;
  membersBeside: boolean;
  /** The keys of the rows whose notices are shown one by one. */
  unfolded: readonly string[];
  /** Whether the newest line is so far away that the button to go there is shown. */
  farFromEnd: boolean;
};

export function createScreen(replyTo: number | undefined): StoreApi<Screen> {
  return createStore<Screen>(() => ({
    open: undefined,
    replyTo,
    highlighted: undefined,
    membersShown: false,
    membersBeside: true,
    unfolded: [],
    farFromEnd: false,
  }));
}
