import { createStore, type StoreApi } from "zustand/vanilla";
import type { Emoji } from "../model/chat";

/** Where a message's menu opens, and what gets the focus back. */
export type MenuPlace = { key: string; point: { x: number; y: number }; from: HTMLElement };

/** What lies over the screen. A menu is `from` the button it hangs on. */
export type Overlay =
  | { is: "roomMenu"; from: HTMLElement }
  | ({ is: "messageMenu" } & MenuPlace)
  | { is: "seatMenu"; emoji: Emoji; from: HTMLElement }
  /** Pictures that were chosen and not sent yet. */
  | { is: "preview"; pictures: readonly File[] }
  /** The picture of the message with this key. */
  | { is: "viewer"; key: string }
  | { is: "kick"; emoji: Emoji }
  | { is: "question"; about: "lock" | "close" | "leave" }
  /** The group's link as a code, to be held up to another phone. */
  | { is: "invite" };

/** What is open and where one looks. It is this screen's alone: nobody else sees it and no reload keeps it. */
export type Screen = {
  open: Overlay | undefined;
  /** The place of the message that is being answered. */
  replyTo: number | undefined;
  marked: string | undefined;
  /** Whether the list of members lies over the talk, and where there is room, whether it stands beside it. */
  membersShown: boolean;
  membersBeside: boolean;
  /** The rows whose comings and goings are shown one by one. */
  unfolded: readonly string[];
  /** Whether the newest line is so far away that a button leads there. */
  farFromEnd: boolean;
};

export function createScreen(replyTo: number | undefined): StoreApi<Screen> {
  return createStore<Screen>(() => ({
    open: undefined,
    replyTo,
    marked: undefined,
    membersShown: false,
    membersBeside: true,
    unfolded: [],
    farFromEnd: false,
  }));
}
