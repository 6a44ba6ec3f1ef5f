import { chatText } from "@/shared/text/chatText";
import { locale } from "@/shared/text/language";
import type { Face } from "../chat";
import { useChat } from "./chatContext";
import { faceName } from "./face";
import styles from "./TypingLine.module.css";

/** Who is typing. Its room is always there, so that nothing moves when somebody begins. */
export function TypingLine() {
  const words = chatText.screen.composer;
  const typing = useChat((chat) => chat.typing);
  return (
    <p className={styles.line}>
      {typing.length > 0 && (
        <>
          <span aria-hidden="true" className={styles.faces}>
            {typing.slice(0, 3).join("")}
          </span>
          <span className={styles.words}>
            {typing.length === 1 ? words.typing(listed(typing)) : words.typingTwo(listed(typing))}
          </span>
          <span aria-hidden="true" className={styles.dots} />
        </>
      )}
    </p>
  );
}

function listed(faces: readonly Face[]): string {
  return new Intl.ListFormat(locale(), { type: "conjunction" }).format(faces.map(faceName));
}
