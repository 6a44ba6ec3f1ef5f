import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import { isSignedOut } from "@/shared/api/client";
import { useSignInAgain } from "@/shared/session/useSignInAgain";
import { failureText } from "@/shared/text/failureText";

/** What is wrong with a form, by field. Empty: nothing. */
type Errors<Name extends string> = Partial<Record<Name, string>>;

type Options = {
  /** What is in the way of sending it from the start. */
  before?: () => string;
  /** A sentence is about all fields: whichever is typed in, it may be right now. */
  asOne?: boolean;
};

export function useForm<Name extends string>(
  empty: Record<Name, string>,
  check: (fields: Record<Name, string>) => Errors<Name>,
  send: (fields: Record<Name, string>) => Promise<unknown>,
  { asOne = false, before }: Options = {},
) {
  const [fields, setFields] = useState(empty);
  const [errors, setErrors] = useState<Errors<Name>>({});
  const submission = useSubmission(() => {
    const wrong = check(fields);
    setErrors(wrong);
    return Object.keys(wrong).length === 0 && send(fields);
  }, before);

  const write = (name: Name, value: string) => setFields((before) => ({ ...before, [name]: value }));
  const field = (name: Name) => ({
    error: errors[name],
    ...(asOne && { invalid: Object.keys(errors).length > 0 }),
    name,
    onValue: (value: string) => {
      write(name, value);
      setErrors(asOne ? {} : { ...errors, [name]: undefined });
    },
    value: fields[name],
  });

  return { field, write, submission };
}

export type Submission = ReturnType<typeof useSubmission>;

/**
 * Sending a form: one at a time, what went wrong kept for the banner, what was typed left alone. `before` says what is
 * in the way from the start. `send` is told the value of the button that was pressed, and gives back false when the
 * fields aren't right yet; the first of those gets the focus, which reads its sentence out. So does a field that shows
 * the server's refusal.
 */
export function useSubmission(send: (pressed: string) => Promise<unknown> | false, before = () => "") {
  const signInAgain = useSignInAgain();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(before);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    setFailure("");
    const { submitter } = event.nativeEvent as SubmitEvent;
    const sending = send(submitter?.getAttribute("value") ?? "");
    if (sending === false) {
      // A frame later: the fields are marked by then.
      requestAnimationFrame(() => focusFirstError(form));
      return;
    }
    setBusy(true);
    try {
      await sending;
    } catch (error) {
      if (isSignedOut(error)) return signInAgain();
      // At once: the field that shows it has to be marked before it can be found.
      flushSync(() => {
        setFailure(failureText(error));
        setBusy(false);
      });
      focusFirstError(form);
    }
    setBusy(false);
  }

  return { busy, failure, closeFailure: () => setFailure(""), onSubmit };
}

/** The first with a sentence: where one is said for two fields, both are marked. */
function focusFirstError(form: HTMLFormElement) {
  form.querySelector<HTMLElement>("[aria-invalid][aria-describedby]")?.focus();
}
