import type { ReactNode } from "react";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { NeedsScripts, type WhyScripts } from "@/shared/ui/NeedsScripts";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import dialog from "@/shared/ui/overlay/Dialog.module.css";
import { ErrorBanner } from "./ErrorBanner";
import styles from "./form.module.css";
import tag from "./TagForm.module.css";
import type { Submission } from "./useForm";

type TagProps = {
  tone: "hot" | "sky" | "sun" | "mint" | "lilac";
  words: { heading: string; small: string; lead?: string };
  children: ReactNode;
  below?: ReactNode;
  /** Its heading is one row, so that all of the form is on a phone's first screen. */
  compact?: boolean;
  /** It stands below another form, which has the page's heading. */
  second?: boolean;
};

/** A form that looks like a name tag. Its edges are a sticker's; where one writes is as dark as the theme. */
export function TagForm({ tone, words, children, below, compact, second }: TagProps) {
  const Heading = second ? "h2" : "h1";
  return (
    <div className={tag.page} data-compact={compact}>
      <section className={tag.tag} data-tone={tone}>
        <Heading className={tag.heading}>
          {words.heading} <span className={tag.small}>{words.small}</span>
        </Heading>
        <div className={tag.body}>
          {words.lead && <p className={tag.lead}>{words.lead}</p>}
          {children}
        </div>
      </section>
      {below && <div className={tag.below}>{below}</div>}
    </div>
  );
}

type Props = {
  submission: Submission;
  /** Why the form needs scripts; without a reason the server takes it from the browser as well. */
  scripts?: WhyScripts;
  /** The colour of the banner: one that is different from the form's sticker. */
  colour?: "alarm" | "sun";
  children?: ReactNode;
};

/** A page that is a form: the fields, the banner for a failure, and the button that sends them. */
export function PageForm({ children, ...props }: Props & TagProps & { words: { submit: string } }) {
  return (
    <TagForm {...props}>
      <Fields
        {...props}
        send={
          <div className={styles.submit}>
            <Button busy={props.submission.busy} kind="hot" size="l" type="submit">
              {props.words.submit}
            </Button>
          </div>
        }
      >
        {children}
      </Fields>
    </TagForm>
  );
}

type DialogProps = Props & {
  /** The dialog has the name of its button, if it has no other title. */
  words: { name: string; title?: string; body?: string };
  kind: "hot" | "danger";
  disabled?: boolean;
  onClose: () => void;
};

export function FormDialog({ words, kind, disabled, onClose, submission, children }: DialogProps) {
  return (
    <Dialog body={words.body} onClose={onClose} title={words.title ?? words.name}>
      <Fields
        send={
          <div className={dialog.actions}>
            <Button onClick={onClose}>{appText.dialog.cancel}</Button>
            <Button busy={submission.busy} disabled={disabled} kind={kind} type="submit">
              {words.name}
            </Button>
          </div>
        }
        submission={submission}
      >
        {children}
      </Fields>
    </Dialog>
  );
}

/** The reason why a form wasn't sent stands beside what sends it: on a phone the form's beginning is out of view by then. */
export function Fields({ submission, colour, children, scripts, send }: Props & { send: ReactNode }) {
  return (
    <>
      {scripts && <NeedsScripts why={scripts} />}
      <form
        className={styles.form}
        data-scripted={scripts === undefined ? undefined : true}
        method="post"
        noValidate
        onSubmit={submission.onSubmit}
      >
        {children}
        <ErrorBanner colour={colour} onClose={submission.closeFailure} text={submission.failure} />
        {send}
      </form>
    </>
  );
}
