import { type ComponentType, createContext, useContext } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import type { ChatActions } from "../ChatRoom";
import type { ChatState } from "../model/chat";
import type { Screen } from "./screen";

export type ChatContextValue = {
  store: StoreApi<ChatState>;
  actions: ChatActions;
  screen: StoreApi<Screen>;
  /** What is above the first line, if it isn't a group's. */
  head?: ComponentType;
};

export const ChatContext = createContext<ChatContextValue | undefined>(undefined);

/** The room of this screen, for reading its state once, as in an event handler. */
export function useRoom(): ChatContextValue {
  const chat = useContext(ChatContext);
  if (!chat) throw new Error("no room around this component");
  return chat;
}

/** A part of the room's state. The component is drawn again when that part changes. */
export function useChat<Part>(select: (state: ChatState) => Part): Part {
  return useStore(useRoom().store, select);
}

/** The same for the state of the screen. */
export function useScreen<Part>(select: (screen: Screen) => Part): Part {
  return useStore(useRoom().screen, select);
}
