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
  /** The button is busy until this has resolved. A failure is shown as a notice. */
  onConfirm: () => Promise<unknown>;
  /** Called when the work is done and the dialog is closed, so that an element behind it can get the focus. */
  onDone?: () => void;
  /** Called if the sign-in has ended in the meantime. */
  onSignedOut?: ((failure: unknown) => void) | undefined;
};

/** Asks before something is done that can't be undone. */
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
