import { useLayoutEffect, useRef } from "react";
import { inboxText } from "@/shared/text/inboxText";
import { Button } from "@/shared/ui/Button";
import styles from "./NoteCard.module.css";

type Props = {
  id: string;
  onUndo: () => void;
  /** The id of what gets the focus if there is no other note. */
  elsewhere: string;
};

/** Is in a note's place as long as its deletion can be undone. When it goes, its focus goes to a note beside it. */
export function DeletedNote({ id, onUndo, elsewhere }: Props) {
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
