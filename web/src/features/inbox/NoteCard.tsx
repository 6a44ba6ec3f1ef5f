import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { conversationPath } from "@/shared/links";
import { NoteWords } from "@/shared/richText/NoteWords";
import { ago } from "@/shared/text/ago";
import { answersText } from "@/shared/text/answersText";
import { conversationText } from "@/shared/text/conversationText";
import { inboxText } from "@/shared/text/inboxText";
import { noteDate } from "@/shared/text/noteDate";
import { text } from "@/shared/text/text";
import { IconButton } from "@/shared/ui/IconButton";
import { Icon } from "@/shared/ui/icons";
import { NewestLine } from "./NewestLine";
import styles from "./NoteCard.module.css";
import { NoteMenu } from "./NoteMenu";
import { type Answering, PublicAnswer } from "./PublicAnswer";
import type { ShownNote, ShownTalk } from "./sealed/opened";
import { useSeenWhole } from "./useSeenWhole";

const ClosedNote = lazy(async () => ({ default: (await import("./sealed/ClosedNote")).ClosedNote }));

export type NoteProps = {
  id: string;
  note: ShownNote;
  /** The conversation that it began; `ended` if that is over. */
  conversation: ShownTalk | "ended" | undefined;
  /** By this device's clock, in milliseconds. */
  now: number;
  onRead: () => void;
  onCapture: () => void;
  onStar: () => void;
  onArchive: () => void;
  answering: Answering;
  onRemove: () => void;
  /** Blocks whoever sent it. */
  onBlock: () => Promise<void>;
  /** Does what needs the server, or says why that has to wait. */
  unlessWaiting: (act: () => void) => () => void;
};

/**
 * A note, and what was said about it since. It counts as read when it is opened or answered, or when all of it was in
 * view for a moment.
 */
export function NoteCard(props: NoteProps) {
  const { id, note, conversation, now, onRead, onCapture, onStar, answering } = props;
  const words = inboxText;
  const [open, setOpen] = useState(false);
  const teaser = useRef<HTMLDivElement>(null);
  const { date, time, machine } = noteDate(note.date);
  const when = `${date}, ${time}`;
  const { closed } = note;
  const isEnded = conversation === "ended";
  // Before the list of conversations is there, only the note knows of its own.
  const canAnswer = note.conversation !== undefined && !isEnded && conversation?.open !== false;
  useSeenWhole(teaser, !note.seen && !open && !closed, onRead);
  useAnsweredElsewhere(!isEnded && conversation?.last?.from === "owner" && !note.seen, onRead);

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
      <header className={styles.about}>
        <h2 className={styles.title} id={`${id}-title`}>
          {text.aNote} {!note.seen && <span className={styles.new}>{words.unread}</span>}
        </h2>
        <span className={styles.when}>
          <time dateTime={machine} id={`${id}-date`} title={when}>
            {open ? when : ago(machine, now)}
          </time>
          <IconButton
            aria-pressed={note.starred === true}
            data-star
            icon="star"
            label={words.star(when)}
            onClick={onStar}
          />
        </span>
        {note.only_for_you && (
          <span className={styles.mark} title={words.onlyForYou.mark}>
            <Icon name="lock" size={16} />
            <span className="visually-hidden">{words.onlyForYou.mark}</span>
          </span>
        )}
        {note.answer && <span className={`pill ${styles.public}`}>{answersText.mine.public}</span>}
        {isEnded && <span className={styles.mark}>{conversationText.mine.ended}</span>}
        {note.starred && note.archived && <span className={styles.mark}>{words.archive.mark}</span>}
      </header>
      {closed ? (
        <Suspense>
          <ClosedNote card={id} closed={closed} id={note.id} when={when} />
        </Suspense>
      ) : (
        <div className={styles.words} id={`${id}-words`} inert={!open} ref={teaser}>
          <NoteWords message={note.message} />
        </div>
      )}
      {!isEnded && conversation && !closed && <NewestLine {...conversation} onOpen={onRead} />}
      {open && !closed && <PublicAnswer note={note} {...answering} />}
      <div className={styles.actions}>
        {closed ? undefined : canAnswer ? (
          <Link
            aria-label={conversationText.mine.answerOne(when)}
            className={styles.answer}
            onClick={onRead}
            title={conversationText.mine.answerOne(when)}
            to={conversationPath(note.conversation ?? "")}
          >
            <Icon name="reply" /> {conversationText.mine.answer}
          </Link>
        ) : (
          <IconButton
            icon="camera"
            label={words.capture(when)}
            onClick={onCapture}
            words={words.short.capture}
          />
        )}
        <NoteMenu {...props} captures={canAnswer} when={when} />
        {!closed && (
          <IconButton
            aria-controls={`${id}-words`}
            aria-expanded={open}
            icon="down"
            label={(open ? words.collapse : words.expand)(when)}
            onClick={toggle}
          />
        )}
      </div>
    </article>
  );
}

/** Whoever has answered a note has read it, be it on another device. */
function useAnsweredElsewhere(isNews: boolean, onRead: () => void) {
  const read = useEffectEvent(onRead);
  useEffect(() => {
    if (isNews) read();
  }, [isNews]);
}
