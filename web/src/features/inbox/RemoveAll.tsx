import { useState } from "react";
import { tell } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { Icon } from "@/shared/ui/icons";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import styles from "./InboxList.module.css";

type Props = { isOffered: boolean; remove: () => Promise<void>; onRemoved: () => void };

/** The way to an empty inbox, behind a question. */
export function RemoveAll({ isOffered, remove, onRemoved }: Props) {
  const words = appText.inbox.removeAll;
  const [open, setOpen] = useState(false);
  return (
    <>
      {isOffered && (
        <Button onClick={() => setOpen(true)} size="s">
          <Icon name="trash" />
          <span className={styles.label}>{words.name}</span>
        </Button>
      )}
      {open && (
        <ConfirmDialog
          action={words.name}
          description={words.body}
          onClose={() => setOpen(false)}
          onConfirm={remove}
          onDone={() => {
            tell(words.done);
            onRemoved();
          }}
          title={words.title}
        />
      )}
    </>
  );
}
