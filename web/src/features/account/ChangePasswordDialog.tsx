import { api } from "@/shared/api/api";
import { tell } from "@/shared/notices";
import { device } from "@/shared/session/device";
import { token } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { DialogForm } from "@/shared/ui/form/Form";
import { PasswordField } from "@/shared/ui/form/PasswordField";
import { useForm } from "@/shared/ui/form/useForm";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { checkPasswordChange } from "./validation";

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const words = appText.settings.changePassword;
  const empty = { current: "", next: "", confirmation: "" };
  const { field, submission } = useForm(empty, checkPasswordChange, save);

  async function save({ current, next }: typeof empty) {
    const json = { old_password: current, new_password: next };
    const { device: given } = await api("post", "/api/user/change-password", { json, token: token() ?? "" });
    device.keep(given);
    tell(words.done);
    onClose();
  }

  return (
    <Dialog onClose={onClose} title={words.name}>
      <DialogForm kind="hot" onCancel={onClose} submission={submission} submit={words.name}>
        <PasswordField {...field("current")} autoComplete="current-password" label={words.current} />
        <PasswordField {...field("next")} autoComplete="new-password" label={words.next} />
        <PasswordField {...field("confirmation")} autoComplete="new-password" label={words.confirmation} />
      </DialogForm>
    </Dialog>
  );
}
