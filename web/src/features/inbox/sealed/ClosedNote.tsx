import { flushSync } from "react-dom";
import { sealedInboxText } from "@/shared/text/sealedInboxText";
import { Button } from "@/shared/ui/Button";
import { Icon } from "@/shared/ui/icons";
import { type Closed, showHeld } from "./opened";
import styles from "./Sealed.module.css";

type Props = {
  id: string;
  /** The id of its card. */
  card: string;
  closed: Closed;
  when: string;
};

/** Stands in the place of a sealed note's words, and says why they aren't shown. */
export function ClosedNote({ id, card, closed, when }: Props) {
  const words = sealedInboxText.note;

  /** The button is gone then, so the card gets the focus. */
  function show() {
    flushSync(() => showHeld(id));
    document.getElementById(card)?.focus();
  }

  return (
    <div className={styles.closed}>
      <Icon name="lock" />
      <div className={styles.why}>
        <p>{words[closed]}</p>
        {closed === "broken" && <p className={styles.more}>{words.brokenMore}</p>}
      </div>
      {closed === "held" && (
        <Button aria-label={words.showOne(when)} onClick={show} size="s">
          {words.show}
        </Button>
      )}
    </div>
  );
}

/** Stands in the place of words of a sealed conversation that aren't open. */
export function ClosedWords({ closed }: { closed?: Closed | undefined }) {
  const { opening, talk } = sealedInboxText.note;
  return <span className="soft">{closed === "opening" ? opening : talk}</span>;
}
