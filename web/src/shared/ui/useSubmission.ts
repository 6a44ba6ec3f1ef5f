import { type FormEvent, useState } from "react";
import { failureText } from "@/shared/text/failureText";

/**
 * Sending a form: one at a time, what went wrong kept for the banner, what was typed left alone. `send` gives back
 * false when the fields aren't right yet; the first of those gets the focus, which reads its sentence out.
 */
export function useSubmission(send: () => Promise<boolean> | false, otherwise?: string) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    setFailure("");
    const sending = send();
    if (sending === false) {
      focusFirstError(form);
      return;
    }
    setBusy(true);
    try {
      await sending;
    } catch (error) {
      setFailure(failureText(error, otherwise));
    } finally {
      setBusy(false);
    }
  }

  return { busy, failure, closeFailure: () => setFailure(""), onSubmit };
}

/** A frame later: the fields are marked by then. */
function focusFirstError(form: HTMLFormElement) {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid]")?.focus());
}
