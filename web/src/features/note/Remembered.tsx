import { useEffect, useEffectEvent, useState } from "react";
import {
  type EndedConversation,
  endedConversations,
  forgetConversations,
  type KeptConversation,
  keptConversations,
  watchKept,
} from "@/shared/conversations/kept";
import { newAnswers, type Standing } from "@/shared/conversations/peek";
import { useStandings } from "@/shared/conversations/standings";
import { conversationLink } from "@/shared/links";
import { conversationText } from "@/shared/text/conversationText";
import { timeOf } from "@/shared/text/noteDate";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import styles from "./Remembered.module.css";

/** Whose notes are listed: all that this device remembers, or only those to one person. */
type Props = { to?: string };

type Known = KeptConversation | EndedConversation;

const known = (to: string | undefined): Known[] => [...keptConversations(to), ...endedConversations(to)];

/** The conversations that this device remembers, each with its new answers, and those that have ended lately. */
export function Remembered({ to }: Props) {
  const words = conversationText.kept;
  const [kept, setKept] = useState(() => known(to));
  const standings = useStandings();
  /** The ids of those that are about to be forgotten. */
  const [doomed, setDoomed] = useState<readonly string[]>();

  const read = useEffectEvent(() => setKept(known(to)));
  useEffect(() => watchKept(() => read()), []);

  if (kept.length === 0) return null;
  const [only] = doomed?.length === 1 ? kept.filter(({ id }) => id === doomed[0]) : [];
  return (
    <section aria-labelledby="remembered" className={styles.remembered}>
      <div className={styles.head}>
        <div>
          <h2 className={styles.heading} id="remembered">
            {words.heading}
          </h2>
          <p className="soft">{words.lead}</p>
        </div>
        {kept.length > 1 && (
          <Button onClick={() => setDoomed(kept.map(({ id }) => id))} size="s">
            {words.forgetAll}
          </Button>
        )}
      </div>
      <ul className={styles.list}>
        {kept.map((one) => (
          <li key={one.id}>
            <Card known={one} onForget={() => setDoomed([one.id])} standing={standings.get(one.id)} />
          </li>
        ))}
      </ul>
      {doomed && (
        <ConfirmDialog
          action={only ? words.forget : words.forgetAll}
          body={only ? words.forgetBody : words.forgetAllBody}
          onClose={() => setDoomed(undefined)}
          onConfirm={async () => forgetConversations(...doomed)}
          title={only ? words.forgetTitle(only.to) : words.forgetAllTitle}
        />
      )}
    </section>
  );
}

type CardProps = { known: Known; standing: Standing | undefined; onForget: () => void };

function Card({ known, standing, onForget }: CardProps) {
  const words = conversationText.kept;
  const { to, since } = known;
  return (
    <article className={styles.card} data-ended={"ended" in known || undefined}>
      <EmojiDisc emoji="🏷️" size="s" />
      <div className={styles.about}>
        <h3 className={styles.name}>
          {"ended" in known ? (
            words.to(to)
          ) : (
            // Not a link of the router: the page reads the key from its own address.
            <a className={styles.open} href={conversationLink(known.id, known.secret)}>
              {words.to(to)}
            </a>
          )}
        </h3>
        <p className={styles.facts}>
          <span className="soft">{timeOf(since)}</span>
          {"ended" in known ? (
            <span className="soft">{words.ended}</span>
          ) : (
            standing && <State kept={known} standing={standing} />
          )}
        </p>
      </div>
      <div className={styles.actions}>
        <Button aria-label={words.forgetOne(to)} onClick={onForget} size="s">
          {words.forget}
        </Button>
      </div>
    </article>
  );
}

function State({ kept, standing }: { kept: KeptConversation; standing: Standing }) {
  const words = conversationText;
  const count = newAnswers(kept, standing);
  return (
    <>
      {count > 0 ? (
        <span className={`pill ${styles.unread}`}>{words.answers(count)}</span>
      ) : (
        <span className="soft">{words.kept[readingOf(kept, standing)]}</span>
      )}
      {!standing.open && <span className="soft">{words.kept.closed}</span>}
    </>
  );
}

/** Whether there was an answer, and whether it was read on this device. */
function readingOf({ read = 0 }: KeptConversation, { answered }: Standing) {
  if (answered === 0) return "none";
  return answered > read ? "readElsewhere" : "read";
}
