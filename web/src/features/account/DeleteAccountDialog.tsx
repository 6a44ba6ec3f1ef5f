import { api } from "@/shared/api/api";
import { device } from "@/shared/session/device";
import { token } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { DialogForm } from "@/shared/ui/form/Form";
import { PasswordField } from "@/shared/ui/form/PasswordField";
import { useForm } from "@/shared/ui/form/useForm";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { useSignOut } from "./questions";
import { mayDelete } from "./validation";

export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const words = appText.settings.deleteAccount;
  const signOut = useSignOut();
  // The button is disabled until it may be deleted.
  const { field, submission } = useForm({ password: "" }, () => ({}), remove);
  const password = field("password");

  async function remove({ password }: { password: string }) {
    await api("delete", "/api/user/delete", { json: { password }, token: token() ?? "" });
    device.forget();
    signOut(words.done);
  }

  return (
    <Dialog body={words.body} onClose={onClose} title={words.name}>
      <DialogForm
        disabled={!mayDelete(password.value)}
        kind="danger"
        onCancel={onClose}
        submission={submission}
        submit={words.name}
      >
        <PasswordField {...password} autoComplete="current-password" label={words.password} />
      </DialogForm>
    </Dialog>
  );
}
