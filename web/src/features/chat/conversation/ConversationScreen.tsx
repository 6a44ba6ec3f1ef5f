import { useState } from "react";
import { LINES_UNANSWERED } from "@/shared/contract/limits";
import { conversationText } from "@/shared/text/conversationText";
import type { ChatRoom } from "../ChatRoom";
import type { ChatState } from "../model/chat";
import { EMOJI_OF } from "../model/pair";
import { ChatLayout } from "../screen/ChatScreen";
import { useChat, useRoom } from "../screen/chatContext";
import { Composer } from "../screen/composer/Composer";
import styles from "./Conversation.module.css";
import { ConversationHead } from "./ConversationHead";
import { ConversationHeader } from "./ConversationHeader";

type Props = {
  room: ChatRoom;
  /** Where the arrow leads. */
  home: string;
  /** The secret in the private link, for the sender. */
  secret: string | undefined;
};

/** The screen of a conversation: a group's, for two. */
export function ConversationScreen({ room, home, secret }: Props) {
  return (
    <ChatLayout
      head={ConversationHead}
      header={<ConversationHeader home={home} secret={secret} />}
      room={room}
    >
      <Writing />
    </ChatLayout>
  );
}

/** The message box; or, in a closed conversation, who has closed it. */
function Writing() {
  const words = conversationText.page;
  const { actions } = useRoom();
  const pair = useChat((chat) => chat.pair);
  const waits = useChat(waitsForAnswer);
  // What is typed when the conversation is closed can still be copied.
  const [wasTyped] = useState(() => actions.draft().words !== "");
  if (!pair) return null;
  const { closed } = words;
  return (
    <>
      <div role="status">
        {!pair.isOpen && (
          <p className={styles.closed}>{pair.side === "owner" ? closed.owner : closed.sender(pair.to)}</p>
        )}
        {pair.isOpen && waits && <p className={styles.waits}>{words.waits(pair.to)}</p>}
      </div>
      {(pair.isOpen || wasTyped) && <Composer />}
    </>
  );
}

/** Whether the sender has said as much in a row as is possible without an answer. */
function waitsForAnswer({ lines, pair }: ChatState): boolean {
  if (pair?.side !== "sender") return false;
  const said = lines.filter((line) => line.kind === "message" && line.seq !== undefined);
  const answered = said.findLastIndex((line) => line.kind === "message" && line.sender === EMOJI_OF.owner);
  return said.length - 1 - answered >= LINES_UNANSWERED;
}
