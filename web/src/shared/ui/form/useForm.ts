import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import { ApiFailure, isSignedOut } from "@/shared/api/client";
import type { Code } from "@/shared/contract/codes";
import { signInAgain } from "@/shared/session/signInAgain";
import { nextTask } from "@/shared/tasks";
import { failureText } from "@/shared/text/failureText";

/** A sentence for each field that is wrong. */
type Errors<Name extends string> = Partial<Record<Name, string>>;

type Options<Name extends string> = {
  /** Gives the reason why the form can't be sent at all; "" if it can. */
  before?: () => string;
  /** Each sentence is about all fields, so typing in any field removes it. */
  asOne?: boolean;
  /** What this browser has kept for fields in which nothing is typed yet. */
  kept?: () => Partial<Record<Name, string>>;
  /** The failure that the form begins with. */
  failure?: string;
  /** The field that a refusal is about, by its code. A refusal without a field is shown in the banner. */
  fieldOf?: Partial<Record<Code, Name>>;
};

export function useForm<Name extends string>(
  empty: Record<Name, string>,
  check: (fields: Record<Name, string>) => Errors<Name>,
  send: (fields: Record<Name, string>) => Promise<unknown>,
  { asOne = false, before, kept, failure = "", fieldOf = {} }: Options<NoInfer<Name>> = {},
) {
  const [fields, setFields] = useState(empty);
  const [errors, setErrors] = useState<Errors<Name>>({});
  const submission = useSubmission(
    () => {
      const wrong = check(fields);
      setErrors(wrong);
      return Object.keys(wrong).length === 0 && send(fields);
    },
    { before, failure, refused },
  );

  /** Shows a refusal at its field. */
  function refused(failure: unknown): boolean {
    const code = failure instanceof ApiFailure ? failure.refusal.code : undefined;
    const name = code && fieldOf[code];
    if (name) setErrors({ [name]: failureText(failure) } as Errors<Name>);
    return name !== undefined;
  }

  const fillIn = useEffectEvent(() => {
    for (const [name, value] of Object.entries(kept?.() ?? {}) as [Name, string][])
      setFields((before) => ({ ...before, [name]: before[name] || value }));
  });
  // Who types first makes the app take over the page in the middle of that: their words come before what is filled in.
  useEffect(() => void nextTask().then(() => fillIn()), []);

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

type SubmissionOptions = Pick<Options<never>, "before" | "failure"> & {
  /** Shows a refusal elsewhere. Returns false if it belongs into the banner. */
  refused?: (failure: unknown) => boolean;
};

export type Submission = ReturnType<typeof useSubmission>;

/**
 * Sends a form, once at a time, and keeps the failure for the banner. `before` gives the reason why the form can't be
 * sent at all. `send` gets the value of the pressed button, and returns false if a field is wrong: then the first wrong
 * field gets the focus, so that its sentence is read out. The same happens if a field shows the server's refusal.
 */
export function useSubmission(
  send: (pressed: string) => Promise<unknown> | false,
  { before, failure: first = "", refused = () => false }: SubmissionOptions = {},
) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(first);
  // The page is first drawn without knowing the browser.
  const look = useEffectEvent(() => before && setFailure(before()));
  useEffect(() => look(), []);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    setFailure("");
    const { submitter } = event.nativeEvent as SubmitEvent;
    const sending = send(submitter?.getAttribute("value") ?? "");
    if (sending === false) {
      // One frame later the wrong fields are marked.
      requestAnimationFrame(() => focusFirstError(form));
      return;
    }
    setBusy(true);
    try {
      await sending;
    } catch (error) {
      if (isSignedOut(error)) return signInAgain();
      // `flushSync`, because the field that shows the failure has to be marked before it can be found.
      flushSync(() => {
        if (!refused(error)) setFailure(failureText(error));
        setBusy(false);
      });
      focusFirstError(form);
      form.querySelector("[role=alert]:not(:empty)")?.scrollIntoView({ block: "nearest" });
    }
    setBusy(false);
  }

  return { busy, failure, closeFailure: () => setFailure(""), onSubmit };
}

/** Looks for a field with a sentence: two fields can be marked for one sentence. */
function focusFirstError(form: HTMLFormElement) {
  form.querySelector<HTMLElement>("[aria-invalid][aria-describedby]")?.focus();
}
