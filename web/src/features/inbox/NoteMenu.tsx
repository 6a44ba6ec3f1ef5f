import { lazy, Suspense, useState } from "react";
import { showNotice } from "@/shared/notices";
import { answersText } from "@/shared/text/answersText";
import { inboxText } from "@/shared/text/inboxText";
import { shieldText } from "@/shared/text/shieldText";
import { IconButton } from "@/shared/ui/IconButton";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { Menu } from "@/shared/ui/overlay/Menu";
import type { NoteProps } from "./NoteCard";

/** Its code is loaded when a note is first reported. */
const ReportNote = lazy(async () => ({ default: (await import("./ReportNote")).ReportNote }));

/** Only who answers needs it. */
const AnswerDialog = lazy(async () => ({ default: (await import("./AnswerDialog")).AnswerDialog }));

type Props = Pick<
  NoteProps,
  "note" | "answering" | "onRead" | "onCapture" | "onArchive" | "onRemove" | "onBlock" | "unlessWaiting"
> & {
  /** Whether it also has what is otherwise the note's own button. */
  captures: boolean;
  /** When the note came, for its button's name. */
  when: string;
};

type Opened = "menu" | "write" | "takeDown" | "block" | "report";

/** What can be done with a note. */
export function NoteMenu(props: Props) {
  const { note, answering, when, captures, onRead, onCapture, onArchive, onRemove, onBlock, unlessWaiting } =
    props;
  const words = inboxText.menu;
  const { mine, picture } = answersText;
  const { block } = shieldText;
  const [menuFrom, setMenuFrom] = useState<HTMLElement>();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  // Of words that nobody sees here, nothing can be shown to others.
  const isOpen = note.closed === undefined;
  const opens = (what: Opened) => unlessWaiting(() => setOpened(what));
  return (
    <>
      <IconButton
        aria-expanded={opened === "menu"}
        aria-haspopup="menu"
        icon="more"
        label={words.label(when)}
        onClick={(event) => {
          setMenuFrom(event.currentTarget);
          setOpened("menu");
        }}
      />
      {opened === "menu" && menuFrom && (
        <Menu
          entries={[
            isOpen && !note.only_for_you && !note.answer && { label: mine.publish, act: opens("write") },
            isOpen && note.answer !== undefined && { label: picture, act: answering.onCapture },
            isOpen && note.answer !== undefined && { label: mine.edit, act: opens("write") },
            note.answer !== undefined && { label: mine.takeDown.entry, act: opens("takeDown") },
            captures && { label: inboxText.short.captureMenu, act: onCapture },
            { label: note.archived ? inboxText.archive.undo : inboxText.archive.action, act: onArchive },
            "separator",
            isOpen && { label: words.report, act: opens("report") },
            { label: block.action, act: opens("block"), danger: true },
            { label: inboxText.short.remove, act: onRemove, danger: true },
          ]}
          from={menuFrom}
          label={words.label(when)}
          onClose={close}
        />
      )}
      {opened === "takeDown" && (
        <ConfirmDialog
          {...mine.takeDown}
          onClose={close}
          onConfirm={() => answering.takeDown(note.id)}
          onDone={() => showNotice(mine.takeDown.done)}
        />
      )}
      {opened === "block" && (
        <ConfirmDialog
          action={block.confirm}
          body={block.body}
          onClose={close}
          onConfirm={onBlock}
          onDone={() => showNotice(block.done)}
          title={block.title}
        />
      )}
      <Suspense>
        {opened === "report" && (
          <ReportNote
            id={note.id}
            onClose={close}
            opened={note.sealed === undefined ? undefined : note.message}
          />
        )}
        {opened === "write" && (
          <AnswerDialog
            before={note.answer?.answer ?? ""}
            note={note.message}
            onClose={close}
            publish={async (words) => {
              await answering.publish(note.id, words);
              onRead();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
