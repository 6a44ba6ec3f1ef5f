import { type ReactNode, useId } from "react";
import { appText } from "@/shared/text/appText";
import { IconButton } from "@/shared/ui/IconButton";
import styles from "./Dialog.module.css";
import { Modal } from "./Modal";

type Props = {
  onClose: () => void;
  title: string;
  body?: string | undefined;
  wide?: boolean;
  /** For a question: a press outside the dialog does not close it. */
  asks?: boolean;
  children?: ReactNode;
};

/** A dialog over the page. It is open as long as it is drawn. */
export function Dialog({ onClose, title, body, wide, asks = false, children }: Props) {
  const id = useId();
  return (
    <Modal
      aria-describedby={body && `${id}body`}
      aria-labelledby={`${id}title`}
      className={styles.layer}
      closesBeside={!asks}
      onClose={onClose}
      role={asks ? "alertdialog" : undefined}
    >
      <div className={styles.popup} data-wide={wide || undefined}>
        <div className={styles.head}>
          <h2 className={styles.title} id={`${id}title`}>
            {title}
          </h2>
          {!asks && <IconButton icon="close" label={appText.dialog.close} onClick={onClose} />}
        </div>
        {body && <p id={`${id}body`}>{body}</p>}
        {children}
      </div>
    </Modal>
  );
}
