import type { ReactNode } from "react";
import { withoutOverrides } from "@/shared/text/directions";
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
      <p className={styles.words} dir="auto">
        {withoutOverrides(message)}
      </p>
      <div className={styles.actions}>{children}</div>
    </li>
  );
}
