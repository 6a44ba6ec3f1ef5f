import { chatText } from "@/shared/text/chatText";
import type { Emoji } from "../../model/chat";
import { useChat } from "../chatContext";
import { listed } from "../named";
import styles from "./TypingLine.module.css";

/** The most names that fit into a line on a phone. */
const NAMED = 3;

export function TypingLine() {
  const typing = [...useChat((chat) => chat.typing).keys()];
  return (
    <p className={`pill ${styles.line}`}>
      {typing.length > 0 && (
        <>
          <span aria-hidden="true" className={styles.emojis}>
            {typing.slice(0, NAMED).join("")}
          </span>
          <span className="one-line">{sentence(typing)}</span>
          <span aria-hidden="true" className={styles.dots} />
        </>
      )}
    </p>
  );
}

function sentence(typing: readonly Emoji[]): string {
  const words = chatText.screen.composer;
  if (typing.length > NAMED) return words.typingMany;
  return typing.length === 1 ? words.typing(listed(typing)) : words.typingTwo(listed(typing));
}
