import { flushSync } from "react-dom";
import { showError, showNotice } from "@/shared/notices";
import { failureText } from "@/shared/text/failureText";
import { inboxText } from "@/shared/text/inboxText";
import type { InboxFeed } from "./InboxFeed";
import { type Note, useInbox } from "./inboxStore";

type Places = { cardId: (note: string) => string; elsewhere: string };

/** Stars and archives notes. A note that leaves the list gives the focus to one beside it. */
export function useFlags(feed: InboxFeed, { cardId, elsewhere }: Places) {
  const focus = (id: string | undefined) =>
    (document.getElementById(id === undefined ? elsewhere : cardId(id)) ?? undefined)?.focus();

  async function attempt(work: Promise<void>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (failure) {
      showError(failureText(failure));
      return false;
    }
  }

  /** Makes a change at once, and has the focus go on if the note is no longer there. */
  function change({ id }: Note, make: () => Promise<void>): Promise<boolean> {
    const { notes } = useInbox.getState();
    const at = notes.findIndex((note) => note.id === id);
    const beside = notes[at + 1] ?? notes[at - 1];
    let work = Promise.resolve();
    flushSync(() => {
      work = make();
    });
    const isGone = !useInbox.getState().notes.some((note) => note.id === id);
    if (isGone) focus(beside?.id);
    return attempt(work);
  }

  const star = (note: Note) => void change(note, () => feed.star(note.id, !note.starred));

  async function archive(note: Note) {
    const { archive: words } = inboxText;
    const archived = !note.archived;
    const undo = async () => {
      if (await attempt(feed.archive(note.id, !archived))) focus(note.id);
    };
    if (await change(note, () => feed.archive(note.id, archived)))
      showNotice(archived ? words.done : words.undone, undefined, {
        label: inboxText.remove.undo,
        act: () => void undo(),
      });
  }

  return { star, archive: (note: Note) => void archive(note) };
}
