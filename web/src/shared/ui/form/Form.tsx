import type { ReactNode } from "react";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import dialog from "@/shared/ui/overlay/Dialog.module.css";
import { ErrorBanner } from "./ErrorBanner";
import styles from "./form.module.css";
import type { Submission } from "./useSubmission";

type Props = {
  submission: Submission;
  /** What the button at the end says. */
  submit: string;
  /** Of the banner: one that stands out on the form's sticker. */
  colour?: "alarm" | "sun";
  children?: ReactNode;
};

/** A form of a page: what went wrong, the fields, and the one button that sends them. */
export function Form({ submission, submit, colour = "alarm", children }: Props) {
  return (
    <Fields colour={colour} submission={submission}>
      {children}
      <div className={styles.submit}>
        <Button busy={submission.busy} kind="hot" size="l" type="submit">
          {submit}
        </Button>
      </div>
    </Fields>
  );
}

type DialogProps = Props & { kind: "hot" | "danger"; disabled?: boolean; onCancel: () => void };

/** A form in a dialog, which can be closed as well. */
export function DialogForm({ submission, submit, kind, disabled, onCancel, children }: DialogProps) {
  return (
    <Fields submission={submission}>
      {children}
      <div className={dialog.actions}>
        <Button onClick={onCancel}>{appText.dialog.cancel}</Button>
        <Button busy={submission.busy} disabled={disabled} kind={kind} type="submit">
          {submit}
        </Button>
      </div>
    </Fields>
  );
}

function Fields({ submission, colour, children }: Omit<Props, "submit">) {
  return (
    <form className={styles.form} noValidate onSubmit={submission.onSubmit}>
      <ErrorBanner colour={colour} onClose={submission.closeFailure} text={submission.failure} />
      {children}
    </form>
  );
}
