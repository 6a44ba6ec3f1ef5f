import { useState } from "react";
import { flushSync } from "react-dom";
import { complain, tell } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { failureText } from "@/shared/text/failureText";
import { Button } from "@/shared/ui/Button";
import { Icon } from "@/shared/ui/icons";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import styles from "./InboxList.module.css";

type Props = { isOffered: boolean; remove: () => Promise<void>; onRemoved: () => void };

/** The way to an empty inbox, behind a question. */
export function RemoveAll({ isOffered, remove, onRemoved }: Props) {
  const words = appText.inbox.removeAll;
  const [open, setOpen] = useState(false);

  async function confirm() {
    try {
      await remove();
      tell(words.done);
      // At once: the dialog has to be closed before anything behind it takes the focus.
      flushSync(() => setOpen(false));
      onRemoved();
    } catch (failure) {
      complain(failureText(failure));
      setOpen(false);
    }
  }

  return (
    <>
      {isOffered && (
        <Button onClick={() => setOpen(true)} size="s">
          <Icon name="trash" />
          <span className={styles.label}>{words.open}</span>
        </Button>
      )}
      <ConfirmDialog
        action={words.submit}
        description={words.body}
        onConfirm={confirm}
        onOpenChange={setOpen}
        open={open}
        title={words.title}
      />
    </>
  );
}
