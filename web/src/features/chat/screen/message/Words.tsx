import { RichText } from "@/shared/richText/RichText";
import { pieces } from "../../model/mentions";
import { useChat } from "../chatContext";
import { faceName } from "../named";
import styles from "./Words.module.css";

/** What somebody said: text, links, and the names of those who are meant. */
export function Words({ message }: { message: string }) {
  const inText = message.includes("@") ? (text: string) => <Named text={text} /> : undefined;
  return <RichText inText={inText} message={message} />;
}

/** What is copied is what was written: another reader has another name for the face. */
function Named({ text }: { text: string }) {
  const faces = useChat((chat) => chat.faces);
  const me = useChat((chat) => chat.me);
  let at = 0;
  return pieces(text, faces).map((piece) => {
    const key = at;
    at += piece.text.length;
    if (piece.face === undefined) return piece.text;
    const Tag = piece.face === me ? "mark" : "span";
    return (
      <Tag className={styles.mention} data-mention={piece.face} key={key}>
        {piece.text}
        <span className={styles.name}>{faceName(piece.face)}</span>
      </Tag>
    );
  });
}
