import { useEffect } from "react";
import { text } from "@/shared/text/text";
import { titleWith } from "../notifications";
import { useChat } from "./chatContext";

/** Says in the tab how much is new in here. */
export function TabTitle() {
  const name = useChat((chat) => chat.room.name);
  const unread = useChat((chat) => chat.unread);
  const mentioned = useChat((chat) => chat.mentioned);

  useEffect(() => {
    document.title = `${titleWith(unread, name, mentioned)} · ${text.product}`;
  }, [name, unread, mentioned]);

  return null;
}
