import { useEffect, useEffectEvent, useState } from "react";
import { forgetConversation, keptConversations } from "@/shared/conversations/kept";
import { peek, type Standing } from "@/shared/conversations/peek";
import { conversationLink } from "@/shared/links";
import { conversationText } from "@/shared/text/conversationText";
import { timeOf } from "@/shared/text/noteDate";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import styles from "./Remembered.module.css";

/** How often an open page asks whether there is an answer. */
const LOOKS_EVERY_MS = 60_000;

/** Whose notes are listed: all that this device remembers, or only those to one person. */
type Props = { to?: string };

/** The conversations that this device remembers, each with its new answers. */
export function Remembered({ to }: Props) {
  const words = conversationText.kept;
  const [kept, setKept] = useState(() => keptConversations(to));
  const [standing, setStanding] = useState<ReadonlyMap<string, Standing>>(new Map());
  /** The ids of those that are about to be forgotten. */
  const [doomed, setDoomed] = useState<readonly string[]>();

  const look = useEffectEvent(async () => {
    setKept(keptConversations(to));
    // Without an answer the list shows what is on the device.
    const found = await peek(keptConversations(to)).catch(() => undefined);
    if (found) setStanding(found);
    setKept(keptConversations(to));
  });

  useEffect(() => {
    const again = () => void (document.visibilityState === "visible" && look());
    again();
    const timer = setInterval(again, LOOKS_EVERY_MS);
    document.addEventListener("visibilitychange", again);
    window.addEventListener("storage", again);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", again);
      window.removeEventListener("storage", again);
    };
  }, []);

  async function forget(ids: readonly string[]) {
    for (const id of ids) forgetConversation(id);
    setKept(keptConversations(to));
  }

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
        {kept.map(({ id, secret, to: name, since }) => (
          <li key={id}>
            <article className={styles.card}>
              <EmojiDisc emoji="🏷️" size="s" />
              <div className={styles.about}>
                <h3 className={styles.name}>
                  {/* Not a link of the router: the page reads the key from its own address. */}
                  <a className={styles.open} href={conversationLink(id, secret)}>
                    {words.to(name)}
                  </a>
                </h3>
                <p className={styles.facts}>
                  <span className="soft">{timeOf(since)}</span>
                  <State standing={standing.get(id)} />
                </p>
              </div>
              <div className={styles.actions}>
                <Button aria-label={words.forgetOne(name)} onClick={() => setDoomed([id])} size="s">
                  {words.forget}
                </Button>
              </div>
            </article>
          </li>
        ))}
      </ul>
      {doomed && (
        <ConfirmDialog
          action={only ? words.forget : words.forgetAll}
          body={only ? words.forgetBody : words.forgetAllBody}
          onClose={() => setDoomed(undefined)}
          onConfirm={() => forget(doomed)}
          title={only ? words.forgetTitle(only.to) : words.forgetAllTitle}
        />
      )}
    </section>
  );
}

function State({ standing }: { standing: Standing | undefined }) {
  const words = conversationText;
  if (!standing) return null;
  if (standing.unread > 0)
    return <span className={`pill ${styles.unread}`}>{words.answers(standing.unread)}</span>;
  return <span className="soft">{standing.open ? words.kept.quiet : words.kept.closed}</span>;
}
