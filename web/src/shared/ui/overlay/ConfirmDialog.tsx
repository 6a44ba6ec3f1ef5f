import { useState } from "react";
import { flushSync } from "react-dom";
import { isSignedOut } from "@/shared/api/client";
import { showError } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { failureText } from "@/shared/text/failureText";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "./Dialog";
import styles from "./Dialog.module.css";

type Props = {
  onClose: () => void;
  title: string;
  body?: string;
  action: string;
  kind?: "hot" | "danger";
  /** The button is busy until it is done. What goes wrong is told. */
  onConfirm: () => Promise<unknown>;
  /** The work is done and the dialog closed, so an element behind it can take the focus. */
  onDone?: () => void;
  /** The session has ended meanwhile. */
  onSignedOut?: ((failure: unknown) => void) | undefined;
};

/** Asks before something is done that can't be taken back. */
export function ConfirmDialog({ onConfirm, onDone, onSignedOut, ...props }: Props) {
  const { action, kind = "danger", onClose, ...dialog } = props;
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    try {
      await onConfirm();
      flushSync(onClose);
      onDone?.();
    } catch (failure) {
      onClose();
      if (onSignedOut && isSignedOut(failure)) onSignedOut(failure);
      else showError(failureText(failure));
    }
  }

  return (
    <Dialog {...dialog} asks onClose={onClose}>
      <div className={styles.actions}>
        <Button data-first onClick={onClose}>
          {appText.dialog.cancel}
        </Button>
        <Button busy={busy} kind={kind} onClick={() => void confirm()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
