import { useState } from "react";
import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import type { Quote } from "../../model/chat";
import { useChat } from "../chatContext";
import { inWords, memberName } from "../named";
import { usePicture } from "../usePicture";
import styles from "./Bubble.module.css";

export function BubbleQuote({ quote }: { quote: Quote }) {
  return (
    <button className={styles.quote} data-quote={quote.seq} type="button">
      <span className="visually-hidden">{chatText.screen.message.answers(memberName(quote.sender))}</span>
      <span aria-hidden="true" className={styles.quoted}>
        {quote.sender}
      </span>
      <QuotedWords className={`one-line ${styles.quotedWords}`} quote={quote} />
      {quote.picture !== "" && <QuotedPicture address={quote.picture} key={quote.picture} />}
    </button>
  );
}

type WordsProps = { quote: Pick<Quote, "words" | "picture">; className?: string | undefined };

/** The words of a quote. For a picture they are "Photo", and for a message that was taken back they say so. */
export function QuotedWords({ quote, className }: WordsProps) {
  const words = chatText.screen.message;
  const emojis = useChat((chat) => chat.emojis);
  const shown = quote.picture !== "" ? words.photo : inWords(quote.words, emojis) || words.retracted;
  return (
    <span className={className} dir="auto">
      {shown}
    </span>
  );
}

/** A quoted picture, small. Until it is loaded there is a coloured box; if loading fails, an icon. */
export function QuotedPicture({ address }: { address: string }) {
  const { src, isBroken: isMissing } = usePicture(address);
  const [isBroken, setBroken] = useState(false);
  return (
    <span className={styles.spot}>
      {isMissing || isBroken ? (
        <Icon name="picture" />
      ) : (
        <img alt="" className={styles.small} decoding="async" onError={() => setBroken(true)} src={src} />
      )}
    </span>
  );
}
