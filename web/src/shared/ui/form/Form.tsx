import type { ReactNode } from "react";
import { Button } from "@/shared/ui/Button";
import { ErrorBanner } from "./ErrorBanner";
import styles from "./form.module.css";
import type { Submission } from "./useSubmission";

type Props = {
  submission: Submission;
  /** What the button at the end says. */
  submit: string;
  /** Of the banner: one that stands out on the form's sticker. */
  colour?: "alarm" | "sun";
  children: ReactNode;
};

/** A form of a page: what went wrong, the fields, and the one button that sends them. */
export function Form({ submission, submit, colour = "alarm", children }: Props) {
  const { busy, failure, closeFailure, onSubmit } = submission;
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <ErrorBanner colour={colour} onMessage={closeFailure} text={failure} />
      {children}
      <div className={styles.submit}>
        <Button busy={busy} kind="hot" size="l" type="submit">
          {submit}
        </Button>
      </div>
    </form>
  );
}
