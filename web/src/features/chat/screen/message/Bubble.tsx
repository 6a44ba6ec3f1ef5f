import { RichText } from "@/shared/richText/RichText";
import { emojiStyle } from "@/shared/richText/tokens";
import { chatText } from "@/shared/text/chatText";
import type { Message, Picture } from "../../model/chat";
import { mentions, splitAtMentions } from "../../model/mentions";
import { useChat } from "../chatContext";
import { memberName } from "../named";
import styles from "./Bubble.module.css";
import { BubblePicture } from "./BubblePicture";
import { BubbleQuote } from "./BubbleQuote";
import { fitted } from "./fit";
import { MessageMarks } from "./MessageMarks";

/** A wider or taller picture is cut: it would be a thin line, or higher than the screen. */
const WIDEST = 2.4;
const TALLEST = 0.56;
const UNKNOWN = 4 / 3;
/** The largest bubble of a picture, as in the styles, and what the bubble and the borders take of its width. */
const BUBBLE_WIDTH_PX = 288;
const BUBBLE_HEIGHT_PX = 352;
const AROUND_PX = 20;

type Props = {
  message: Message;
  /** Several pictures, in place of the message's one. */
  pictures?: React.ReactNode;
};

/** The bubble of a message. A message of emoji alone has no background. */
export function Bubble({ message, pictures }: Props) {
  const { words, picture, reply, retracted, unopened } = message;
  const me = useChat((chat) => chat.me);
  const isBare = !retracted && !reply && !picture && emojiStyle(words) !== "none";
  const marks = <MessageMarks message={message} />;
  // The marks stand in the last line of the words if there is space. Large emoji have no such line.
  const hasLine = !retracted && words !== "" && !isBare;
  // A bubble with a picture has the width of the picture.
  const isFitted = hasLine && !picture;
  return (
    <div
      className={styles.bubble}
      data-mentioned={(!retracted && mentions(words, me)) || undefined}
      data-bare={isBare || undefined}
      data-picture={(!retracted && picture !== null) || undefined}
      data-retracted={retracted || unopened}
      {...(picture && !pictures && sizeOf(picture))}
    >
      {!retracted && reply && <BubbleQuote quote={reply} />}
      {!retracted && picture && (pictures ?? <BubblePicture message={message} picture={picture} />)}
      {retracted && <p className={styles.words}>{chatText.screen.message.retracted}</p>}
      {!retracted && words !== "" && (
        <div className={styles.words} data-fits={isFitted || undefined} ref={isFitted ? fitted : undefined}>
          <RichText inText={words.includes("@") ? named : undefined} message={words} />
          {hasLine && marks}
        </div>
      )}
      {!hasLine && marks}
    </div>
  );
}

/**
 * The width of a picture's box divided by its height. It is known before the picture is loaded. A small picture keeps
 * its own width and shape.
 */
function sizeOf({ width, height }: Picture) {
  const isKnown = width > 0 && height > 0;
  const ratio = isKnown ? Math.min(WIDEST, Math.max(TALLEST, width / height)) : UNKNOWN;
  const isSmall = isKnown && width <= Math.min(BUBBLE_WIDTH_PX, BUBBLE_HEIGHT_PX * ratio) - AROUND_PX;
  const style = { "--ratio": isSmall ? width / height : ratio, "--natural": width } as React.CSSProperties;
  return { "data-small": isSmall || undefined, style };
}

const named = (text: string) => <Named text={text} />;

/** Shows a member's name, but copies the emoji: other readers may have another language. */
function Named({ text }: { text: string }) {
  const emojis = useChat((chat) => chat.emojis);
  const me = useChat((chat) => chat.me);
  let at = 0;
  return splitAtMentions(text, emojis).map((fragment) => {
    const key = at;
    at += fragment.text.length;
    if (fragment.emoji === undefined) return fragment.text;
    const Tag = fragment.emoji === me ? "mark" : "span";
    return (
      <Tag className={styles.mention} data-mention={fragment.emoji} key={key}>
        {fragment.text}
        <span className={styles.name}>{memberName(fragment.emoji)}</span>
      </Tag>
    );
  });
}
