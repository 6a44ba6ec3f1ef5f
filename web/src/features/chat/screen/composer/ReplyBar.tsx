import { chatText } from "@/shared/text/chatText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { IconButton } from "@/shared/ui/IconButton";
import { useChat, useScreen } from "../chatContext";
import { messageAt } from "../log/rows";
import { QuotedPicture, QuotedWords } from "../message/BubbleQuote";
import { memberName } from "../named";
import styles from "./ReplyBar.module.css";
import { useReplyTo } from "./reply";

/** The message that is being answered, as it is now: it may be taken back in the meantime. */
export function ReplyBar() {
  const words = chatText.screen.composer;
  const setReplyTo = useReplyTo();
  const seq = useScreen((state) => state.replyTo);
  const replyTo = useChat((chat) => messageAt(chat, seq));
  if (!replyTo) return null;
  const { sender, words: quoted, picture } = replyTo;

  return (
    <div className={styles.bar}>
      <EmojiDisc className={styles.emoji} emoji={sender} size="s" />
      <div className={styles.about}>
        <p className={`one-line ${styles.title}`}>{words.replyingTo(memberName(sender))}</p>
        <p className={`one-line ${styles.quoted}`}>
          <QuotedWords quote={{ words: quoted, picture: picture?.full ?? "" }} />
        </p>
      </div>
      {picture && <QuotedPicture address={picture.full} key={picture.full} />}
      <IconButton
        aria-keyshortcuts="Escape"
        icon="close"
        label={words.cancelReply}
        onClick={() => setReplyTo(undefined)}
        title={`${words.cancelReply} (Esc)`}
      />
    </div>
  );
}
