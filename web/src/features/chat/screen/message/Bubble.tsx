import { RichText } from "@/shared/richText/RichText";
import { emojiStyle } from "@/shared/richText/tokens";
import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import type { Delivery, Message, Picture } from "../../model/chat";
import { means, pieces } from "../../model/mentions";
import { useChat } from "../chatContext";
import { clockTime } from "../moment";
import { memberName } from "../named";
import styles from "./Bubble.module.css";
import { BubblePicture } from "./BubblePicture";
import { BubbleQuote } from "./BubbleQuote";
import { fitted } from "./fit";

/** Beyond these a picture is shown cut: a banner would be a line, a tower a screen high. */
const WIDEST = 2.4;
const TALLEST = 0.56;
const UNKNOWN = 4 / 3;

/** The slip of paper a message is written on. Emoji alone need no paper. */
export function Bubble({ message }: { message: Message }) {
  const { words, picture, reply, unsent, mine } = message;
  const me = useChat((chat) => chat.me);
  const isBare = !unsent && !reply && !picture && emojiStyle(words) !== "none";
  const meta = (
    <p className={styles.meta}>
      <span>{clockTime(message.time, Date.now())}</span>
      {mine && !unsent && <DeliveryMark delivery={message.delivery} />}
    </p>
  );
  // In the last line of the words where that has room. What is drawn large has no such line.
  const hasLine = !unsent && words !== "" && !isBare;
  // A picture has its own width.
  const isFitted = hasLine && !picture;
  return (
    <div
      className={styles.bubble}
      data-mentioned={(!unsent && means(words, me)) || undefined}
      data-bare={isBare || undefined}
      data-picture={(!unsent && picture !== null) || undefined}
      data-unsent={unsent || undefined}
      style={picture ? ({ "--ratio": ratioOf(picture) } as React.CSSProperties) : undefined}
    >
      {!unsent && reply && <BubbleQuote quote={reply} />}
      {!unsent && picture && <BubblePicture message={message} picture={picture} />}
      {unsent && <p className={styles.words}>{chatText.screen.message.unsent}</p>}
      {!unsent && words !== "" && (
        <div className={styles.words} data-fits={isFitted || undefined} ref={isFitted ? fitted : undefined}>
          <RichText inText={words.includes("@") ? named : undefined} message={words} />
          {hasLine && meta}
        </div>
      )}
      {!hasLine && meta}
    </div>
  );
}

/** What became of one's own message. That it arrived is seen and not read out: it is what one expects. */
function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const words = chatText.screen.message;
  const isSent = delivery.state === "sent";
  if (delivery.state === "failed") return null;
  return (
    <span className={styles.mark} title={isSent ? words.sent : words.sending}>
      <Icon name={isSent ? "check" : "clock"} size={14} />
      {!isSent && <span className="visually-hidden">{words.sending}</span>}
    </span>
  );
}

/** How wide a picture's box is for its height, before anything of the picture is there. */
function ratioOf({ width, height }: Picture): number {
  if (width <= 0 || height <= 0) return UNKNOWN;
  return Math.min(WIDEST, Math.max(TALLEST, width / height));
}

const named = (text: string) => <Named text={text} />;

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
