import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createStore } from "zustand/vanilla";
import type { ChatActions } from "../ChatRoom";
import type { ChatState } from "../model/chat";
import { ChatContext, type ChatContextValue } from "../screen/chatContext";
import { createScreen } from "../screen/screen";

/** Draws a part of a room's screen, in a room with this state. */
export function inRoom(part: ReactNode, state: Partial<ChatState>, given: Partial<ChatContextValue> = {}) {
  const nothing = { reacted: new Map(), wished: new Map() };
  const store = createStore(() => ({ ...nothing, ...state }) as ChatState);
  const chat = { store, actions: {} as ChatActions, screen: createScreen(undefined), ...given };
  return { ...render(<ChatContext value={chat}>{part}</ChatContext>), ...chat };
}
