import type { ReactNode } from "react";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import dialog from "@/shared/ui/overlay/Dialog.module.css";
import { ErrorBanner } from "./ErrorBanner";
import styles from "./form.module.css";
import { TagForm, type TagProps } from "./TagForm";
import type { Submission } from "./useSubmission";

type Props = {
  submission: Submission;
  /** Of the banner: one that stands out on the form's sticker. */
  colour?: "alarm" | "sun";
  children?: ReactNode;
};

/** A page that is a form: what went wrong, the fields, and the one button that sends them. */
export function PageForm({ children, ...props }: Props & TagProps & { words: { submit: string } }) {
  return (
    <TagForm {...props}>
      <Fields {...props}>
        {children}
        <div className={styles.submit}>
          <Button busy={props.submission.busy} kind="hot" size="l" type="submit">
            {props.words.submit}
          </Button>
        </div>
      </Fields>
    </TagForm>
  );
}

type DialogProps = Props & {
  words: { name: string; body?: string };
  kind: "hot" | "danger";
  disabled?: boolean;
  onClose: () => void;
};

export function FormDialog({ words, kind, disabled, onClose, submission, children }: DialogProps) {
  return (
    <Dialog body={words.body} onClose={onClose} title={words.name}>
      <Fields submission={submission}>
        {children}
        <div className={dialog.actions}>
          <Button onClick={onClose}>{appText.dialog.cancel}</Button>
          <Button busy={submission.busy} disabled={disabled} kind={kind} type="submit">
            {words.name}
          </Button>
        </div>
      </Fields>
    </Dialog>
  );
}

export function Fields({ submission, colour, children }: Props) {
  return (
    <form className={styles.form} noValidate onSubmit={submission.onSubmit}>
      <ErrorBanner colour={colour} onClose={submission.closeFailure} text={submission.failure} />
      {children}
    </form>
  );
}
