import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { keptConversations, watchKept } from "@/shared/conversations/kept";
import { newAnswers } from "@/shared/conversations/peek";
import { useStandings } from "@/shared/conversations/standings";
import { conversationLink } from "@/shared/links";
import { conversationText } from "@/shared/text/conversationText";
import { Icon } from "@/shared/ui/icons";
import styles from "./Answers.module.css";

/** "1 answer": leads to it, or to the list if they are in several conversations. */
export function Answers({ isShort }: { isShort: boolean }) {
  const [kept, setKept] = useState(() => keptConversations());
  useEffect(() => watchKept(() => setKept(keptConversations())), []);
  const standings = useStandings();
  const found = kept
    .map((one) => ({ ...one, count: newAnswers(one, standings.get(one.id)) }))
    .filter(({ count }) => count > 0);
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const [first, second] = found;
  const words = conversationText.answers(total);
  const look = {
    "aria-label": words,
    className: `pill ${styles.answers}`,
    "data-short": isShort || undefined,
    children: (
      <>
        <Icon name="reply" size={16} />
        <span className={styles.number}>{total}</span>
        <span className={styles.words}>{words}</span>
      </>
    ),
  };
  return (
    <span aria-live="polite" className={styles.place}>
      {/* Not a link of the router: the page reads the key from its own address. */}
      {first && !second && <a {...look} href={conversationLink(first.id, first.secret)} />}
      {second && <Link {...look} to={paths.landing} />}
    </span>
  );
}
