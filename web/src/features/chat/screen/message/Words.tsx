import { RichText } from "@/shared/richText/RichText";
import { pieces } from "../../model/mentions";
import { useChat } from "../chatContext";
import { memberName } from "../named";
import styles from "./Words.module.css";

export function Words({ message }: { message: string }) {
  const inText = message.includes("@") ? (text: string) => <Named text={text} /> : undefined;
  return <RichText inText={inText} message={message} />;
}

/** What is copied is what was written: another reader has another name for the emoji. */
function Named({ text }: { text: string }) {
  const emojis = useChat((chat) => chat.emojis);
  const me = useChat((chat) => chat.me);
  let at = 0;
  return pieces(text, emojis).map((piece) => {
    const key = at;
    at += piece.text.length;
    if (piece.emoji === undefined) return piece.text;
    const Tag = piece.emoji === me ? "mark" : "span";
    return (
      <Tag className={styles.mention} data-mention={piece.emoji} key={key}>
        {piece.text}
        <span className={styles.name}>{memberName(piece.emoji)}</span>
      </Tag>
    );
  });
}
