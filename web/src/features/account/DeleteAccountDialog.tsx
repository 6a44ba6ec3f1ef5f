import { useState } from "react";
import { api } from "@/shared/api/api";
import { device } from "@/shared/session/device";
import { token } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { DialogForm } from "@/shared/ui/form/Form";
import { PasswordField } from "@/shared/ui/form/PasswordField";
import { useSubmission } from "@/shared/ui/form/useSubmission";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { useSignOut } from "./useSignOut";
import { mayDelete } from "./validation";

type Props = { onClose: () => void; onSignedOut: () => void };

export function DeleteAccountDialog({ onClose, onSignedOut }: Props) {
  const words = appText.settings.deleteAccount;
  const [password, setPassword] = useState("");
  const signOut = useSignOut();
  const submission = useSubmission(() => mayDelete(password) && remove(), { onSignedOut });

  async function remove() {
    await api("delete", "/api/user/delete", { json: { password }, token: token() ?? "" });
    device.forget();
    signOut(words.done);
  }

  return (
    <Dialog description={words.body} onClose={onClose} title={words.name}>
      <DialogForm
        disabled={!mayDelete(password)}
        kind="danger"
        onCancel={onClose}
        submission={submission}
        submit={words.name}
      >
        <PasswordField
          autoComplete="current-password"
          label={words.password}
          name="password"
          onValue={setPassword}
          value={password}
        />
      </DialogForm>
    </Dialog>
  );
}
