import { useEffect, useState } from "react";
import { type KeptGroup, keptGroups } from "@/shared/keptGroups";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { GroupLink, TimeLeft } from "./GroupCard";
import styles from "./GroupCard.module.css";

type Props = {
  /** Groups that are listed elsewhere on the page. */
  without?: readonly { id: string }[] | undefined;
  /** Removes everything that the device keeps of a group. */
  onForget: (id: string) => Promise<void>;
  /** When it is done, fewer groups may be left. */
  pruned?: Promise<void>;
};

/** The groups in which this device has a seat, from what is kept on it. The server is never asked. */
export function JoinedGroups({ without = [], onForget, pruned }: Props) {
  const words = appText.groups.joined;
  const [groups, setGroups] = useState(keptGroups);
  const [doomed, setDoomed] = useState<KeptGroup>();
  const forget = (id: string) =>
    onForget(id)
      .catch(() => {})
      .then(() => setGroups(keptGroups()));

  useEffect(() => {
    const look = () => setGroups(keptGroups());
    void pruned?.then(look);
    document.addEventListener("visibilitychange", look);
    window.addEventListener("storage", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("storage", look);
    };
  }, [pruned]);

  const shown = groups.filter(({ id }) => !without.some((other) => other.id === id));
  if (shown.length === 0) return null;

  return (
    <section aria-labelledby="joined-groups" className={styles.joined}>
      <div>
        <h2 className={styles.heading} id="joined-groups">
          {words.heading}
        </h2>
        <p className="soft">{words.lead}</p>
      </div>
      <ul className={styles.row}>
        {shown.map((group) => (
          <li key={group.id}>
            <article className={styles.card} data-small>
              <EmojiDisc emoji={group.emoji} size="s" />
              <div className={styles.about}>
                <GroupLink id={group.id} level="h3" name={group.name} />
                <p className={styles.facts}>
                  <TimeLeft ends={group.ends} onEnded={() => void forget(group.id)} />
                </p>
              </div>
              <div className={styles.actions}>
                <Button aria-label={words.forgetOne(group.name)} onClick={() => setDoomed(group)} size="s">
                  {words.forget}
                </Button>
              </div>
            </article>
          </li>
        ))}
      </ul>
      {doomed && (
        <ConfirmDialog
          action={words.forget}
          body={words.forgetBody}
          onClose={() => setDoomed(undefined)}
          onConfirm={() => forget(doomed.id)}
          title={words.forgetTitle(doomed.name)}
        />
      )}
    </section>
  );
}
