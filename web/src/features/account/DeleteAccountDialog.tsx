import { useState } from "react";
import { api } from "@/shared/api/api";
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
import { useSignOut } from "./useSignOut";
import { mayDelete } from "./validation";

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onSignedOut: () => void };

export function DeleteAccountDialog({ onSignedOut, ...props }: Props) {
  const words = appText.settings.deleteAccount;
  return (
    <Dialog {...props} description={words.body} title={words.title}>
      <DeleteForm onCancel={() => props.onOpenChange(false)} onSignedOut={onSignedOut} />
    </Dialog>
  );
}

/** A component of its own so that a closed dialog has forgotten the password. */
function DeleteForm({ onCancel, onSignedOut }: { onCancel: () => void; onSignedOut: () => void }) {
  const words = appText.settings.deleteAccount;
  const [password, setPassword] = useState("");
  const signOut = useSignOut();
  const { busy, failure, closeFailure, onSubmit } = useSubmission(() => mayDelete(password) && remove(), {
    onSignedOut,
  });

  async function remove() {
    await api("delete", "/api/user/delete", { json: { password }, token: token() ?? "" });
    device.forget();
    signOut(words.done);
  }

  return (
    <form className={form.form} noValidate onSubmit={onSubmit}>
      <ErrorBanner onMessage={closeFailure} text={failure} />
      <PasswordField
        autoComplete="current-password"
        label={words.password}
        name="password"
        onValue={setPassword}
        value={password}
      />
      <div className={dialog.actions}>
        <Button onClick={onCancel}>{appText.dialog.cancel}</Button>
        <Button busy={busy} disabled={!mayDelete(password)} kind="danger" type="submit">
          {words.submit}
        </Button>
      </div>
    </form>
  );
}
