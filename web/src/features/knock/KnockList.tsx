import { useEffect, useEffectEvent, useRef, useState } from "react";
import { knockText } from "@/shared/text/knockText";
import { timeLeft } from "@/shared/text/timeLeft";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { useTimeLeft } from "@/shared/ui/useTimeLeft";
import styles from "./KnockList.module.css";
import { answerKnock, drop, type Knock } from "./knocks";

type Props = {
  /** Those who wait, each with the group's id and, where there are several groups, its name. */
  waiting: (Knock & { id: string; room?: string })[];
};

/** Everybody who waits to be let in. A screen reader is told who comes. */
export function KnockList({ waiting }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const newest = waiting.toSorted((one, other) => one.until - other.until).at(-1);

  /** The buttons that had the focus are gone. */
  function focusNext() {
    const next = list.current?.querySelector("button") ?? document.getElementById("main");
    next?.focus();
  }

  return (
    <>
      <div className="visually-hidden" role="status">
        {newest && said(newest)}
      </div>
      {waiting.length > FEW && <Many onAnswered={focusNext} waiting={waiting} />}
      {waiting.length > 0 && (
        <ul aria-label={knockText.list.heading} className={styles.list} data-on-sticker ref={list}>
          {waiting.map((one) => (
            <KnockRow key={one.knock} {...one} onAnswered={focusNext} />
          ))}
        </ul>
      )}
    </>
  );
}

/** More than so many are let in together, if one likes, and the list scrolls. */
const FEW = 3;

function Many({ waiting, onAnswered }: Props & { onAnswered: () => void }) {
  const words = knockText.list;
  const [busy, setBusy] = useState(false);

  async function admitAll() {
    setBusy(true);
    // One after the other: the seats are taken in the order in which people came.
    for (const { id, knock } of waiting) await answerKnock(id, knock, true);
    setBusy(false);
    onAnswered();
  }

  return (
    <p className={styles.many}>
      <span>{words.waiting(waiting.length)}</span>
      <Button busy={busy} onClick={() => void admitAll()} size="s">
        {words.admitAll}
      </Button>
    </p>
  );
}

function said({ emoji, room }: Props["waiting"][number]): string {
  return room === undefined ? knockText.list.one(emoji) : knockText.list.at(emoji, room);
}

function KnockRow({
  onAnswered,
  ...waiting
}: Props["waiting"][number] & {
  onAnswered: () => void;
}) {
  const { id, knock, emoji, until } = waiting;
  const words = knockText.list;
  const [busy, setBusy] = useState<boolean>();
  const left = useTimeLeft(until);
  const lapse = useEffectEvent(() => drop(id, knock));
  useEffect(() => {
    if (left === 0) lapse();
  }, [left]);

  const answer = async (admit: boolean) => {
    setBusy(admit);
    await answerKnock(id, knock, admit);
    setBusy(undefined);
    onAnswered();
  };

  return (
    <li className={styles.row}>
      <EmojiDisc emoji={emoji} size="s" />
      <p className={styles.who}>
        <span>{said(waiting)}</span> <span className={styles.left}>{timeLeft(left)}</span>
      </p>
      <div className={styles.actions}>
        <Button
          aria-label={words.admitOne(emoji)}
          busy={busy === true}
          kind="hot"
          onClick={() => void answer(true)}
          size="s"
        >
          {words.admit}
        </Button>
        <Button
          aria-label={words.declineOne(emoji)}
          busy={busy === false}
          onClick={() => void answer(false)}
          size="s"
        >
          {words.decline}
        </Button>
      </div>
    </li>
  );
}
