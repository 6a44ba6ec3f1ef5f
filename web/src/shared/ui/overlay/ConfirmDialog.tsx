import { useId, useState } from "react";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import styles from "./Dialog.module.css";
import { Modal } from "./Modal";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  action: string;
  kind?: "hot" | "danger";
  /** The button is busy until it is done. */
  onConfirm: () => Promise<unknown> | undefined;
};

/** Asks before something is done that can't be taken back. */
export function ConfirmDialog(props: Props) {
  const { open, onOpenChange, title, description, action, kind = "danger", onConfirm } = props;
  const id = useId();
  const [busy, setBusy] = useState(false);
  if (!open) return null;
  const close = () => onOpenChange(false);

  async function confirm() {
    setBusy(true);
    await onConfirm();
    setBusy(false);
  }

  return (
    <Modal
      aria-describedby={description && `${id}body`}
      aria-labelledby={`${id}title`}
      className={styles.layer}
      onClose={close}
      role="alertdialog"
    >
      <div className={styles.popup}>
        <h2 className={styles.title} id={`${id}title`}>
          {title}
        </h2>
        {description && <p id={`${id}body`}>{description}</p>}
        <div className={styles.actions}>
          <Button data-first onClick={close}>
            {appText.dialog.cancel}
          </Button>
          <Button busy={busy} kind={kind} onClick={() => void confirm()}>
            {action}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
