import { lazy, Suspense, useEffect, useEffectEvent, useState } from "react";
import { api } from "@/shared/api/api";
import { INBOX_PAGE } from "@/shared/contract/limits";
import { showError, showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { failureText } from "@/shared/text/failureText";
import { inboxText } from "@/shared/text/inboxText";
import { noteDate } from "@/shared/text/noteDate";
import { shieldText } from "@/shared/text/shieldText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { NoteRow } from "@/shared/ui/NoteRow";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { Skeleton } from "@/shared/ui/Skeleton";
import type { Note } from "./inboxStore";

/** Its code is loaded when a note is first reported. */
const ReportNote = lazy(async () => ({ default: (await import("./ReportNote")).ReportNote }));

/** The notes that were held back for a word in them. */
export function HeldNotes({ onClose }: { onClose: () => void }) {
  const words = shieldText.held;
  const [notes, setNotes] = useState<Note[]>();
  const [hasOlder, setHasOlder] = useState(false);
  const [reports, setReports] = useState<string>();

  async function load(before?: string) {
    const query = { held: true, limit: INBOX_PAGE, ...(before !== undefined && { before }) };
    const { data } = await api("get", "/api/messages", { query, token: token() ?? "" });
    setNotes((known = []) => [...known, ...data]);
    setHasOlder(data.length === INBOX_PAGE);
  }

  const loadFirst = useEffectEvent(() => {
    load().catch((failure: unknown) => {
      showError(failureText(failure));
      onClose();
    });
  });
  useEffect(() => loadFirst(), []);

  /** What was done to a note leaves it out of the list. */
  async function attempt(id: string, act: () => Promise<unknown>) {
    try {
      await act();
      setNotes((known) => known?.filter((note) => note.id !== id));
    } catch (failure) {
      showError(failureText(failure));
    }
  }

  const call = { token: token() ?? "" };
  const show = (id: string) =>
    attempt(id, async () => {
      const { data } = await api("post", "/api/message/{id}/show", { params: { id }, ...call });
      showNotice(data ? words.shown : words.waits);
    });
  const remove = (id: string) =>
    attempt(id, () => api("delete", "/api/message/{id}", { params: { id }, ...call }));

  return (
    <Dialog
      body={words.body}
      onClose={onClose}
      title={notes?.length ? words.title(`${notes.length}${hasOlder ? "+" : ""}`) : words.name}
      wide
    >
      {notes === undefined && <Skeleton label={text.loading} row="m" />}
      {notes?.length === 0 && <p>{words.empty}</p>}
      <ul>
        {notes?.map(({ id, message, date }) => {
          const when = noteDate(date);
          const said = `${when.date}, ${when.time}`;
          return (
            <NoteRow key={id} message={message} when={when}>
              <Button aria-label={words.of(words.show, said)} onClick={() => void show(id)} size="s">
                {words.show}
              </Button>
              <Button aria-label={words.of(words.remove, said)} onClick={() => void remove(id)} size="s">
                {words.remove}
              </Button>
              <Button
                aria-haspopup="dialog"
                aria-label={words.of(inboxText.menu.report, said)}
                onClick={() => setReports(id)}
                size="s"
              >
                {inboxText.menu.report}
              </Button>
            </NoteRow>
          );
        })}
      </ul>
      {hasOlder && (
        <Button
          onClick={() => void load(notes?.at(-1)?.id).catch((failure) => showError(failureText(failure)))}
        >
          {words.older}
        </Button>
      )}
      <Suspense>
        {reports !== undefined && <ReportNote id={reports} onClose={() => setReports(undefined)} />}
      </Suspense>
    </Dialog>
  );
}
