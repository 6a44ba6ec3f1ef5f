import { lazy, Suspense, useState } from "react";
import { flushSync } from "react-dom";
import { showError, showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { failureText, unansweredText } from "@/shared/text/failureText";
import { inboxText } from "@/shared/text/inboxText";
import { timeOf } from "@/shared/text/noteDate";
import { shieldText } from "@/shared/text/shieldText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { IconButton } from "@/shared/ui/IconButton";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { Menu } from "@/shared/ui/overlay/Menu";
import { Skeleton } from "@/shared/ui/Skeleton";
import type { InboxFeed } from "./InboxFeed";
import styles from "./InboxList.module.css";
import { type Inbox, type Note, unreadOf, useInbox } from "./inboxStore";
import { DeletedNote, NoteCard } from "./NoteCard";

const HEADING = "my-inbox";
/** The drawing code is loaded when the first note is captured. */
const CaptureDialog = lazy(async () => ({
  default: (await import("@/shared/capture/CaptureDialog")).CaptureDialog,
}));

const HeldNotes = lazy(async () => ({ default: (await import("./HeldNotes")).HeldNotes }));

const cardId = (note: string) => `note-${note}`;

type Props = { feed: InboxFeed; username: string };

export function InboxList({ feed, username }: Props) {
  const words = inboxText;
  const inbox = useInbox();
  const [captured, setCaptured] = useState<{ note: Note; withAnswer?: boolean }>();
  const [asksAll, setAsksAll] = useState(false);
  const [busy, setBusy] = useState(false);
  const [menuFrom, setMenuFrom] = useState<HTMLElement>();
  const [showsHeld, setShowsHeld] = useState(false);
  const waits = inbox.status === "offline" ? words.waits : undefined;
  const notes = inbox.notes.filter(({ id }) => inbox.deletions[id] !== "promised");

  async function attempt(work: Promise<void>) {
    setBusy(true);
    await work.catch((failure: unknown) => showError(failureText(failure)));
    setBusy(false);
  }

  /** The button disappears with the last page, so the focus moves to that page's first note. */
  async function loadOlder() {
    const last = inbox.notes.at(-1)?.id;
    await attempt(feed.loadOlder());
    // The focus moves at once: while the button is still in the page, the browser doesn't lose it.
    flushSync(() => setBusy(false));
    const { notes, hasOlder } = useInbox.getState();
    const next = notes[notes.findIndex(({ id }) => id === last) + 1] ?? notes.at(-1);
    if (!hasOlder && next && document.activeElement === document.body)
      document.getElementById(cardId(next.id))?.focus();
  }

  function capture(note: Note) {
    setCaptured({ note });
    void attempt(feed.markSeen(note.id));
  }

  /** The focus goes on to the button that undoes it, which is in the note's place. */
  function remove({ id }: Note) {
    flushSync(() => feed.remove(id));
    document.getElementById(cardId(id))?.querySelector("button")?.focus();
  }

  /** Does what needs the server. Without one it says why that has to wait. */
  const unlessWaiting = (act: () => void) => () => (waits ? showError(waits) : act());

  function undo({ id }: Note) {
    flushSync(() => feed.undoRemoval(id));
    document.getElementById(cardId(id))?.focus();
  }

  /** The menu is gone, so the heading gets the focus. */
  function removedAll() {
    showNotice(words.removeAll.done);
    document.getElementById(HEADING)?.focus();
  }

  return (
    <section aria-labelledby={HEADING} className={`stack ${styles.inbox}`}>
      <header className={styles.head}>
        <h1 className={styles.heading} id={HEADING} tabIndex={-1}>
          {words.heading}
        </h1>
        <IconButton
          aria-expanded={menuFrom !== undefined}
          aria-haspopup="menu"
          icon="more"
          label={appText.more}
          onClick={(event) => setMenuFrom(event.currentTarget)}
        />
        {menuFrom && (
          <Menu
            entries={[
              unreadOf(inbox) > 0 && {
                label: words.markAll,
                act: unlessWaiting(() => void attempt(feed.markAllSeen())),
              },
              { label: shieldText.held.name, act: unlessWaiting(() => setShowsHeld(true)) },
              notes.length > 0 && {
                label: words.removeAll.action,
                act: unlessWaiting(() => setAsksAll(true)),
                danger: true,
              },
            ]}
            from={menuFrom}
            label={appText.more}
            onClose={() => setMenuFrom(undefined)}
          />
        )}
      </header>
      {inbox.inBatches && notes.length > 0 && <p className={styles.timing}>{words.inBatches}</p>}
      <InboxState inbox={inbox} onRetry={feed.wake} />
      <p aria-live="polite" className="visually-hidden">
        {inbox.news}
      </p>
      {inbox.status === "loading" && <Skeleton label={words.loading} row="m" />}
      {inbox.status === "ready" && notes.length === 0 && <EmptyInbox inBatches={inbox.inBatches} />}
      <ul className="stack">
        {notes.map((note) => (
          <li key={note.id}>
            {inbox.deletions[note.id] ? (
              <DeletedNote elsewhere={HEADING} id={cardId(note.id)} onUndo={() => undo(note)} />
            ) : (
              <NoteCard
                id={cardId(note.id)}
                note={note}
                answering={{
                  username,
                  publish: (id, answer) => feed.publish(id, answer),
                  takeDown: (id) => feed.takeDown(id),
                  onCapture: () => setCaptured({ note, withAnswer: true }),
                }}
                onCapture={() => capture(note)}
                onBlock={() => feed.block(note.id)}
                onRead={() => void attempt(feed.markSeen(note.id))}
                onRemove={unlessWaiting(() => remove(note))}
                unlessWaiting={unlessWaiting}
                waits={waits}
              />
            )}
          </li>
        ))}
      </ul>
      {inbox.hasOlder && (
        <Button busy={busy} onClick={() => void loadOlder()}>
          {words.older}
        </Button>
      )}
      {asksAll && (
        <ConfirmDialog
          {...words.removeAll}
          onClose={() => setAsksAll(false)}
          onConfirm={() => feed.removeAll()}
          onDone={removedAll}
        />
      )}
      <Suspense>
        {showsHeld && <HeldNotes onClose={() => setShowsHeld(false)} />}
        {captured && (
          <CaptureDialog
            answer={captured.withAnswer ? captured.note.answer?.answer : undefined}
            message={captured.note.message}
            onClose={() => setCaptured(undefined)}
            username={username}
          />
        )}
      </Suspense>
    </section>
  );
}

function InboxState({ inbox, onRetry }: { inbox: Inbox; onRetry: () => void }) {
  const words = inboxText;
  const asOf = (navigator.onLine ? words.noAnswer : words.offline)(timeOf(inbox.asOf));
  return (
    <div role="status">
      {inbox.status === "offline" && (
        <div className={styles.state}>
          <p>{inbox.notes.length > 0 ? asOf : unansweredText()}</p>
          <Button onClick={onRetry} size="s">
            {text.actions.retry}
          </Button>
        </div>
      )}
    </div>
  );
}

function EmptyInbox({ inBatches }: { inBatches: boolean }) {
  const words = inboxText;
  return (
    <div className={styles.empty}>
      <EmojiDisc emoji="🦉" size="l" />
      <p>{words.emptyHeading}</p>
      <p>{inBatches ? words.emptyInBatches : words.empty}</p>
    </div>
  );
}
