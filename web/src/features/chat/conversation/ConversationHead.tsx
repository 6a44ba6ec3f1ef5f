import { NoteWords } from "@/shared/richText/NoteWords";
import { conversationText } from "@/shared/text/conversationText";
import { noteDate } from "@/shared/text/noteDate";
import { Loader } from "@/shared/ui/Loader";
import { useChat } from "../screen/chatContext";
import styles from "./Conversation.module.css";

/** Above the first line: the note that the conversation is about, and who can read it. */
export function ConversationHead() {
  const words = conversationText.page;
  const pair = useChat((chat) => chat.pair);
  const hasOlder = useChat((chat) => chat.hasOlder);
  if (!pair) return null;
  if (hasOlder) return <Loader kind="spinner" />;
  const { side, note } = pair;
  const { date, time, machine } = noteDate(note.date);
  return (
    <div className={styles.head}>
      <p className="soft">
        <time dateTime={machine}>{words.about(`${date}, ${time}`)}</time>
      </p>
      <blockquote className={styles.note}>
        <NoteWords message={note.message} />
      </blockquote>
      <p className={styles.whoever}>
        {words.whoever[side]} {words.kept}
      </p>
    </div>
  );
}
