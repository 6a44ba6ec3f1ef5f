import { type ReactNode, useId } from "react";
import { appText } from "@/shared/text/appText";
import { IconButton } from "@/shared/ui/IconButton";
import styles from "./Dialog.module.css";
import { Modal } from "./Modal";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  wide?: boolean;
  children?: ReactNode;
};

/** A sheet over the page. */
export function Dialog({ open, onOpenChange, title, description, wide, children }: Props) {
  const id = useId();
  if (!open) return null;
  const close = () => onOpenChange(false);
  return (
    <Modal
      aria-describedby={description && `${id}body`}
      aria-labelledby={`${id}title`}
      className={styles.layer}
      closesBeside
      onClose={close}
    >
      <div className={styles.popup} data-wide={wide || undefined}>
        <div className={styles.head}>
          <h2 className={styles.title} id={`${id}title`}>
            {title}
          </h2>
          <IconButton icon="close" label={appText.dialog.close} onClick={close} />
        </div>
        {description && <p id={`${id}body`}>{description}</p>}
        {children}
      </div>
    </Modal>
  );
}
