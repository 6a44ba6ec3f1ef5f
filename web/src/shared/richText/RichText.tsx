import { Fragment, type ReactNode } from "react";
import styles from "./RichText.module.css";
import { emojiStyle, tokens } from "./tokens";

type Props = {
  message: string;
  /** Draws the text between links. */
  inText?: ((text: string) => ReactNode) | undefined;
};

/** A stranger's words: text, and links to the web. Emoji alone are drawn large. */
export function RichText({ message, inText }: Props) {
  let at = 0;
  return (
    <span className={styles.message} data-emoji={emojiStyle(message)} dir="auto">
      {tokens(message).map((token) => {
        const key = at;
        at += token.text.length;
        if (token.kind === "text") {
          return inText ? <Fragment key={key}>{inText(token.text)}</Fragment> : token.text;
        }
        return (
          <a
            className={styles.link}
            dir="ltr"
            href={token.href}
            key={key}
            rel="noopener noreferrer nofollow"
            target="_blank"
          >
            {token.text}
          </a>
        );
      })}
    </span>
  );
}
