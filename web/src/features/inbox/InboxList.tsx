import { lazy, Suspense, useState } from "react";
import { flushSync } from "react-dom";
import { showError, showNotice } from "@/shared/notices";
import { useOwnSeal } from "@/shared/session/ownSeal";
import { appText } from "@/shared/text/appText";
import { failureText, unansweredText } from "@/shared/text/failureText";
import { inboxText } from "@/shared/text/inboxText";
import { timeOf } from "@/shared/text/noteDate";
import { shieldText } from "@/shared/text/shieldText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { IconButton } from "@/shared/ui/IconButton";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { Menu } from "@/shared/ui/overlay/Menu";
import { Skeleton } from "@/shared/ui/Skeleton";
import { useMinutes } from "@/shared/ui/useTimeLeft";
import { ConversationList } from "./ConversationList";
import { type ConversationsFeed, newLines, useConversations } from "./ConversationsFeed";
import { DeletedNote } from "./DeletedNote";
import { EmptyShelf } from "./EmptyShelf";
import type { InboxFeed } from "./InboxFeed";
import { InboxFilter, InboxSearch, matches, type Shown } from "./InboxFilter";
import styles from "./InboxList.module.css";
import { type Inbox, type Note, unreadOf, useInbox } from "./inboxStore";
import { NoteCard } from "./NoteCard";
import { type ShownNote, type ShownTalk, useShownNotes, useShownTalks } from "./sealed/opened";
import { useFlags } from "./useFlags";

const HEADING = "my-inbox";
/** The drawing code is loaded when the first note is captured. */
const CaptureDialog = lazy(async () => ({
  default: (await import("@/shared/capture/CaptureDialog")).CaptureDialog,
}));

/** Only who has sealed their inbox needs these. */
const InboxMark = lazy(async () => ({ default: (await import("./sealed/SealedInbox")).InboxMark }));
const KeylessNotice = lazy(async () => ({ default: (await import("./sealed/SealedInbox")).KeylessNotice }));

const HeldNotes = lazy(async () => ({ default: (await import("./HeldNotes")).HeldNotes }));

/** Its code is loaded when a note was read. */
const NotesOffer = lazy(async () => {
  const [{ AwayOffer }, { OF_ACCOUNT }] = await Promise.all([
    import("@/shared/away/AwayOffer"),
    import("@/shared/away/whose"),
  ]);
  return { default: () => <AwayOffer away={OF_ACCOUNT} of="note" /> };
});

const cardId = (note: string) => `note-${note}`;

type Props = { feed: InboxFeed; conversations: ConversationsFeed; username: string };

export function InboxList({ feed, conversations, username }: Props) {
  const words = inboxText;
  const inbox = useInbox();
  const [captured, setCaptured] = useState<{ note: ShownNote; withAnswer?: boolean }>();
  /** Its sender has asked that it stays with its recipient: a picture of it is made after a question only. */
  const [asksOnly, setAsksOnly] = useState<Note>();
  const [asksAll, setAsksAll] = useState(false);
  const [busy, setBusy] = useState(false);
  const [menuFrom, setMenuFrom] = useState<HTMLElement>();
  const [showsHeld, setShowsHeld] = useState(false);
  const waits = inbox.status === "offline" ? words.waits : undefined;
  const now = useMinutes();
  const talks = { ...useConversations(), conversations: useShownTalks() };
  const isSealed = useOwnSeal(({ seal }) => seal?.on === true);
  const { star, archive } = useFlags(feed, { cardId, elsewhere: HEADING });
  const [showsTalks, setShowsTalks] = useState(false);
  /** What is searched for; undefined if nothing is. */
  const [wanted, setWanted] = useState<string>();
  const hasTalks = talks.conversations.length > 0;
  const isTalks = hasTalks && showsTalks;
  const notes = useShownNotes();
  const isKeyless = notes.some(({ closed }) => closed === "keyless" || closed === "stale");
  const found = wanted ? notes.filter((note) => matches(wordsOf(note, talks.conversations), wanted)) : notes;

  async function attempt(work: Promise<void>) {
    setBusy(true);
    await work.catch((failure: unknown) => showError(failureText(failure)));
    setBusy(false);
  }

  function show(shown: Shown) {
    setShowsTalks(shown === "conversations");
    if (shown !== "conversations") void feed.show(shown);
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
        <Suspense>{isSealed && <InboxMark />}</Suspense>
        {(notes.length > 1 || wanted !== undefined) && (
          <IconButton
            aria-expanded={wanted !== undefined}
            icon={wanted === undefined ? "search" : "close"}
            label={wanted === undefined ? words.search.open : words.search.close}
            onClick={() => setWanted(wanted === undefined ? "" : undefined)}
          />
        )}
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
              inbox.shelf === "inbox" &&
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
      {wanted !== undefined && <InboxSearch hasOlder={inbox.hasOlder} onValue={setWanted} value={wanted} />}
      <InboxFilter
        hasTalks={hasTalks}
        newLines={newLines(talks)}
        onShow={show}
        shown={isTalks ? "conversations" : inbox.shelf}
      />
      {isTalks && <ConversationList feed={conversations} now={now} wanted={wanted ?? ""} />}
      {inbox.inBatches && notes.length > 0 && <p className={styles.timing}>{words.inBatches}</p>}
      <InboxState inbox={inbox} onRetry={feed.wake} />
      <Suspense>{isKeyless && <KeylessNotice elsewhere={HEADING} username={username} />}</Suspense>
      <p aria-live="polite" className="visually-hidden">
        {inbox.news}
      </p>
      {inbox.status === "loading" && <Skeleton label={words.loading} row="m" />}
      {inbox.status === "ready" && notes.length === 0 && !isTalks && (
        <EmptyShelf inBatches={inbox.inBatches} shelf={inbox.shelf} />
      )}
      {wanted && found.length === 0 && !isTalks && <p role="status">{words.search.none(wanted)}</p>}
      <ul className="stack" hidden={isTalks}>
        {found.map((note) => (
          <li key={note.id}>
            {inbox.deletions[note.id] ? (
              <DeletedNote elsewhere={HEADING} id={cardId(note.id)} onUndo={() => undo(note)} />
            ) : (
              <NoteCard
                id={cardId(note.id)}
                conversation={talkOf(note, talks)}
                note={note}
                now={now}
                answering={{
                  username,
                  publish: (id, answer) =>
                    feed.publish(id, answer, note.sealed === undefined ? undefined : note.message),
                  takeDown: (id) => feed.takeDown(id),
                  onCapture: () => setCaptured({ note, withAnswer: true }),
                }}
                onStar={unlessWaiting(() => star(note))}
                onArchive={unlessWaiting(() => archive(note))}
                onCapture={() => (note.only_for_you ? setAsksOnly(note) : capture(note))}
                onBlock={() => feed.block(note.id)}
                onRead={() => void attempt(feed.markSeen(note.id))}
                onRemove={unlessWaiting(() => remove(note))}
                unlessWaiting={unlessWaiting}
              />
            )}
          </li>
        ))}
      </ul>
      {inbox.hasOlder && !isTalks && (
        <Button busy={busy} onClick={() => void loadOlder()}>
          {words.older}
        </Button>
      )}
      {/* Below the notes: nothing moves under the reader's eyes. */}
      {inbox.status === "ready" && inbox.shelf === "inbox" && notes.some(({ seen }) => seen) && (
        <Suspense>
          <NotesOffer />
        </Suspense>
      )}
      {asksOnly && (
        <ConfirmDialog
          {...words.onlyForYou}
          kind="hot"
          onClose={() => setAsksOnly(undefined)}
          onConfirm={async () => {}}
          onDone={() => capture(asksOnly)}
        />
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

type Talks = Omit<ReturnType<typeof useConversations.getState>, "conversations"> & {
  conversations: readonly ShownTalk[];
};

/** A note's conversation. It has ended if it isn't among all that there are. */
function talkOf(
  { conversation }: Note,
  { conversations, isLoaded, hasOlder }: Talks,
): ShownTalk | "ended" | undefined {
  if (conversation === undefined) return undefined;
  const found = conversations.find(({ id }) => id === conversation);
  return found ?? (isLoaded && !hasOlder ? "ended" : undefined);
}

/** All that can be searched for of a note. */
function wordsOf({ message, answer, conversation }: Note, talks: readonly ShownTalk[]): string {
  const talk = talks.find(({ id }) => id === conversation);
  return [message, answer?.answer, talk?.last?.message].join("\n");
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
