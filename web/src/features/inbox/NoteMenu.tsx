import { lazy, Suspense, useState } from "react";
import { showNotice } from "@/shared/notices";
import { inboxText } from "@/shared/text/inboxText";
import { shieldText } from "@/shared/text/shieldText";
import { IconButton } from "@/shared/ui/IconButton";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { Menu } from "@/shared/ui/overlay/Menu";

/** Its code is loaded when a note is first reported. */
const ReportNote = lazy(async () => ({ default: (await import("./ReportNote")).ReportNote }));

type Props = {
  id: string;
  /** When the note came, for its button's name. */
  when: string;
  /** Blocks whoever sent it. */
  onBlock: () => Promise<void>;
  /** Does what needs the server, or says why that has to wait. */
  unlessWaiting: (act: () => void) => () => void;
};

/** What can be done with a note beside what its buttons do. */
export function NoteMenu({ id, when, onBlock, unlessWaiting }: Props) {
  const words = inboxText.menu;
  const { block } = shieldText;
  const [menuFrom, setMenuFrom] = useState<HTMLElement>();
  const [blocks, setBlocks] = useState(false);
  const [reports, setReports] = useState(false);
  return (
    <>
      <IconButton
        aria-expanded={menuFrom !== undefined}
        aria-haspopup="menu"
        icon="more"
        label={words.label(when)}
        onClick={(event) => setMenuFrom(event.currentTarget)}
      />
      {menuFrom && (
        <Menu
          entries={[
            { label: words.report, act: unlessWaiting(() => setReports(true)) },
            { label: block.action, act: unlessWaiting(() => setBlocks(true)), danger: true },
          ]}
          from={menuFrom}
          label={words.label(when)}
          onClose={() => setMenuFrom(undefined)}
        />
      )}
      {blocks && (
        <ConfirmDialog
          action={block.confirm}
          body={block.body}
          onClose={() => setBlocks(false)}
          onConfirm={onBlock}
          onDone={() => showNotice(block.done)}
          title={block.title}
        />
      )}
      <Suspense>{reports && <ReportNote id={id} onClose={() => setReports(false)} />}</Suspense>
    </>
  );
}
