import { useEffect } from "react";
import { nameTab } from "@/shared/tabTitle";
import { useChat } from "../chatContext";

/** Says in the tab how much is new in here. */
export function TabTitle() {
  const name = useChat((chat) => chat.room.name);
  const unread = useChat((chat) => chat.unread);
  const mentioned = useChat((chat) => chat.mentioned);

  useEffect(() => nameTab(name, unread, mentioned), [name, unread, mentioned]);

  return null;
}
