import type { ReactNode } from "react";
import { NoteWords } from "@/shared/richText/NoteWords";
import styles from "./NoteRow.module.css";

type Props = {
  message: string;
  when: { date: string; time: string; machine: string };
  children: ReactNode;
};

/** A note in a dialog, with what can be done about it. */
export function NoteRow({ message, when, children }: Props) {
  return (
    <li className={styles.row}>
      <time className={styles.date} dateTime={when.machine}>
        {when.date} {when.time}
      </time>
      <div className={styles.words}>
        <NoteWords message={message} />
      </div>
      <div className={styles.actions}>{children}</div>
    </li>
  );
}
