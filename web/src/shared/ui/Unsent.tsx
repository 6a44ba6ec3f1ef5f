import { useState } from "react";
import { copyText } from "@/shared/clipboard";
import { awayText } from "@/shared/text/awayText";
import { Button } from "./Button";
import styles from "./Unsent.module.css";

/** What somebody was writing when it could no longer be sent. */
export function Unsent({ words }: { words: string }) {
  const { heading, copy, copied } = awayText.unsent;
  const [isCopied, setCopied] = useState(false);
  return (
    <section aria-labelledby="unsent" className={styles.unsent}>
      <h2 className={styles.heading} id="unsent">
        {heading}
      </h2>
      <p className={styles.words} dir="auto">
        {words}
      </p>
      <Button onClick={() => void copyText(words).then(setCopied)} size="s">
        {copy}
      </Button>
      <p className="soft" role="status">
        {isCopied && copied}
      </p>
    </section>
  );
}
