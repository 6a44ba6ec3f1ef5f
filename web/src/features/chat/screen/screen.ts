import { createStore, type StoreApi } from "zustand/vanilla";
import type { Emoji } from "../model/chat";

/** Where a message's menu opens, and what gets the focus back. */
export type MenuPlace = { key: string; point: { x: number; y: number }; from: HTMLElement };

/** What lies over the screen. */
export type Open = {
  /** The button the group's menu hangs on. */
  roomMenu: HTMLElement | undefined;
  menu: MenuPlace | undefined;
  /** The member whose menu is open, and the button it hangs on. */
  seatMenu: { emoji: Emoji; from: HTMLElement } | undefined;
  /** The message whose picture is looked at. */
  viewing: string | undefined;
  /** Pictures that were chosen and not sent yet. */
  chosen: readonly File[];
  asking: "lock" | "close" | "leave" | undefined;
  /** Whether the link is shown as a code. */
  inviting: boolean;
  /** Who is about to be removed. */
  doomed: Emoji | undefined;
};

/** What is open and where one looks. It is this screen's alone: nobody else sees it and no reload keeps it. */
export type Screen = Open & {
  /** The place of the message that is being answered. */
  replyTo: number | undefined;
  /** The message that was jumped to. */
  marked: string | undefined;
  /** Whether the list of members lies over the talk, and where there is room, whether it stands beside it. */
  membersShown: boolean;
  membersBeside: boolean;
  /** The rows whose comings and goings are shown one by one. */
  unfolded: readonly string[];
  /** Whether the newest line is in view. */
  atEnd: boolean;
  /** Whether the newest line is so far away that a button leads there. */
  farFromEnd: boolean;
};

export const nothingOpen: Open = {
  roomMenu: undefined,
  menu: undefined,
  seatMenu: undefined,
  viewing: undefined,
  chosen: [],
  asking: undefined,
  inviting: false,
  doomed: undefined,
};

export function createScreen(replyTo: number | undefined): StoreApi<Screen> {
  return createStore<Screen>(() => ({
    ...nothingOpen,
    replyTo,
    marked: undefined,
    membersShown: false,
    membersBeside: true,
    unfolded: [],
    atEnd: true,
    farFromEnd: false,
  }));
}
