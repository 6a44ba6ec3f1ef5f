import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { appText } from "@/shared/text/appText";
import styles from "./Dialog.module.css";
import { Icon } from "./icons";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  wide?: boolean;
  children?: ReactNode;
};

/** A sheet over the page. The focus stays in it, Escape closes it, and the focus goes back where it came from. */
export function Dialog({ open, onOpenChange, title, description, wide, children }: Props) {
  return (
    <Base.Root onOpenChange={(next) => onOpenChange(next)} open={open}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup className={styles.popup} data-wide={wide || undefined}>
            <div className={styles.head}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              <Base.Close aria-label={appText.dialog.close} className={styles.close}>
                <Icon name="close" />
              </Base.Close>
            </div>
            {description && <Base.Description className={styles.body}>{description}</Base.Description>}
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
