import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { conversationPath } from "@/shared/links";
import { RichText } from "@/shared/richText/RichText";
import { answersText } from "@/shared/text/answersText";
import { conversationText } from "@/shared/text/conversationText";
import { withoutOverrides } from "@/shared/text/directions";
import { inboxText } from "@/shared/text/inboxText";
import { noteDate } from "@/shared/text/noteDate";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { IconButton } from "@/shared/ui/IconButton";
import { Icon } from "@/shared/ui/icons";
import type { Note } from "./inboxStore";
import styles from "./NoteCard.module.css";
import { NoteMenu } from "./NoteMenu";
import { type Answering, PublicAnswer } from "./PublicAnswer";

type Props = {
  id: string;
  note: Note;
  onRead: () => void;
  onCapture: () => void;
  answering: Answering;
  onRemove: () => void;
  /** Blocks whoever sent it. */
  onBlock: () => Promise<void>;
  /** Why the note can't be deleted now. */
  waits: string | undefined;
  /** Does what needs the server, or says why that has to wait. */
  unlessWaiting: (act: () => void) => () => void;
};

/** A note. It counts as read when it is opened, or when all of it was in view for a moment. */
export function NoteCard({
  id,
  note,
  onRead,
  onCapture,
  answering,
  onRemove,
  onBlock,
  waits,
  unlessWaiting,
}: Props) {
  const words = inboxText;
  const [open, setOpen] = useState(false);
  const teaser = useRef<HTMLDivElement>(null);
  const { date, time, machine } = noteDate(note.date);
  const when = `${date}, ${time}`;
  const { conversation } = note;
  useSeenWhole(teaser, !note.seen && !open, onRead);

  function toggle() {
    setOpen(!open);
    if (!open) onRead();
  }

  return (
    <article
      aria-labelledby={`${id}-title ${id}-date`}
      className={styles.card}
      data-open={open || undefined}
      data-unread={!note.seen || undefined}
      id={id}
      tabIndex={-1}
    >
      <header className={styles.head}>
        <div className={styles.about}>
          <h2 className={styles.title} id={`${id}-title`}>
            {text.aNote} {!note.seen && <span className={styles.new}>{words.unread}</span>}
            {note.answer && <span className={`pill ${styles.public}`}>{answersText.mine.public}</span>}
          </h2>
          <time className={styles.date} dateTime={machine} id={`${id}-date`}>
            <span>{date}</span> <span>{time}</span>
          </time>
        </div>
        <div className={styles.actions}>
          {conversation !== undefined && (
            <Link
              aria-label={conversationText.mine.answerOne(when)}
              className={styles.answer}
              title={conversationText.mine.answerOne(when)}
              to={conversationPath(conversation)}
            >
              <Icon name="reply" /> {conversationText.mine.answer}
            </Link>
          )}
          <IconButton
            icon="camera"
            label={words.capture(when)}
            onClick={onCapture}
            words={words.short.capture}
          />
          <IconButton
            aria-disabled={waits !== undefined}
            icon="trash"
            label={waits ? `${words.more(when)}. ${waits}` : words.more(when)}
            onClick={onRemove}
            words={words.short.remove}
          />
          <NoteMenu id={note.id} onBlock={onBlock} unlessWaiting={unlessWaiting} when={when} />
          <IconButton
            aria-controls={`${id}-words`}
            aria-expanded={open}
            icon="down"
            label={(open ? words.collapse : words.expand)(when)}
            onClick={toggle}
            words={open ? words.short.close : words.short.read}
          />
        </div>
      </header>
      <div className={styles.words} id={`${id}-words`} inert={!open} ref={teaser}>
        <RichText message={withoutOverrides(note.message)} />
      </div>
      {open && <PublicAnswer note={note} {...answering} />}
    </article>
  );
}

type DeletedProps = {
  id: string;
  onUndo: () => void;
  /** The id of what gets the focus if there is no other note. */
  elsewhere: string;
};

/** Is in a note's place as long as its deletion can be undone. When it goes, its focus goes to a note beside it. */
export function DeletedNote({ id, onUndo, elsewhere }: DeletedProps) {
  const words = inboxText.remove;
  const row = useRef<HTMLDivElement>(null);

  useLayoutEffect(
    () => () => {
      const item = row.current?.closest("li");
      if (!item?.contains(document.activeElement)) return;
      const beside = item.nextElementSibling ?? item.previousElementSibling;
      const next =
        beside?.querySelector<HTMLElement>("article, button") ?? document.getElementById(elsewhere);
      next?.focus();
    },
    [elsewhere],
  );

  return (
    <div className={styles.deleted} id={id} ref={row}>
      <p id={`${id}-deleted`}>{words.done}</p>
      <Button aria-describedby={`${id}-deleted`} onClick={onUndo} size="s">
        {words.undo}
      </Button>
    </div>
  );
}

const READING_MS = 4000;

/** Calls back when the whole text, not cut off, was in view for a moment in a visible window. */
function useSeenWhole(words: RefObject<HTMLElement | null>, isNew: boolean, onSeen: () => void) {
  const seen = useEffectEvent(onSeen);

  useEffect(() => {
    const element = words.current;
    if (!element || !isNew) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (!entry || entry.intersectionRatio < 1) return;
        timer = setTimeout(() => {
          const isWhole = element.scrollHeight <= element.clientHeight + 1;
          if (isWhole && document.visibilityState === "visible") seen();
        }, READING_MS);
      },
      { threshold: 1 },
    );
    watch.observe(element);
    return () => {
      watch.disconnect();
      clearTimeout(timer);
    };
  }, [words, isNew]);
}
