import { AlertDialog } from "@base-ui/react/alert-dialog";
import { appText } from "@/shared/text/appText";
import { Button } from "./Button";
import styles from "./Dialog.module.css";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  action: string;
  kind?: "hot" | "danger";
  busy?: boolean;
  onConfirm: () => void;
};

/** Asks before something is done that can't be taken back. */
export function ConfirmDialog(props: Props) {
  const { open, onOpenChange, title, description, action, kind = "danger", busy = false, onConfirm } = props;
  return (
    <AlertDialog.Root onOpenChange={(next) => onOpenChange(next)} open={open}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Viewport className={styles.viewport}>
          <AlertDialog.Popup className={styles.popup}>
            <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
            {description && (
              <AlertDialog.Description className={styles.body}>{description}</AlertDialog.Description>
            )}
            <div className={styles.actions}>
              <Button onClick={() => onOpenChange(false)}>{appText.dialog.cancel}</Button>
              <Button busy={busy} kind={kind} onClick={onConfirm}>
                {action}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
