import { useState } from "react";
import { api } from "@/shared/api/api";
import { tell } from "@/shared/notices";
import { device } from "@/shared/session/device";
import { token } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { ErrorBanner } from "@/shared/ui/form/ErrorBanner";
import form from "@/shared/ui/form/form.module.css";
import { PasswordField } from "@/shared/ui/form/PasswordField";
import { useSubmission } from "@/shared/ui/form/useSubmission";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import dialog from "@/shared/ui/overlay/Dialog.module.css";
import { checkPasswordChange, type Errors, type PasswordChange } from "./validation";

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onSignedOut: () => void };

export function ChangePasswordDialog({ onSignedOut, ...props }: Props) {
  return (
    <Dialog {...props} title={appText.settings.changePassword.title}>
      <ChangeForm onDone={() => props.onOpenChange(false)} onSignedOut={onSignedOut} />
    </Dialog>
  );
}

/** A component of its own so that a closed dialog has forgotten the passwords. */
function ChangeForm({ onDone, onSignedOut }: { onDone: () => void; onSignedOut: () => void }) {
  const words = appText.settings.changePassword;
  const [fields, setFields] = useState<PasswordChange>({ current: "", next: "", confirmation: "" });
  const [errors, setErrors] = useState<Errors<keyof PasswordChange>>({});
  const { busy, failure, closeFailure, onSubmit } = useSubmission(
    () => {
      const wrong = checkPasswordChange(fields);
      setErrors(wrong);
      return Object.keys(wrong).length === 0 && save();
    },
    { onSignedOut },
  );

  async function save() {
    const json = { old_password: fields.current, new_password: fields.next };
    const { device: given } = await api("post", "/api/user/change-password", { json, token: token() ?? "" });
    device.keep(given);
    tell(words.done);
    onDone();
  }

  const field = (name: keyof PasswordChange) => ({
    error: errors[name],
    name,
    onValue: (value: string) => {
      setFields({ ...fields, [name]: value });
      setErrors({ ...errors, [name]: undefined });
    },
    value: fields[name],
  });

  return (
    <form className={form.form} noValidate onSubmit={onSubmit}>
      <ErrorBanner onMessage={closeFailure} text={failure} />
      <PasswordField {...field("current")} autoComplete="current-password" label={words.current} />
      <PasswordField {...field("next")} autoComplete="new-password" label={words.next} />
      <PasswordField {...field("confirmation")} autoComplete="new-password" label={words.confirmation} />
      <div className={dialog.actions}>
        <Button onClick={onDone}>{appText.dialog.cancel}</Button>
        <Button busy={busy} kind="hot" type="submit">
          {words.submit}
        </Button>
      </div>
    </form>
  );
}
