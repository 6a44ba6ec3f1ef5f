import { useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { tell } from "@/shared/notices";
import { paths } from "@/shared/paths";
import { device } from "@/shared/session/device";
import { forgetSession } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { PageForm } from "@/shared/ui/form/Form";
import { PasswordField } from "@/shared/ui/form/PasswordField";
import { Elsewhere } from "@/shared/ui/form/TagForm";
import { useForm } from "@/shared/ui/form/useForm";
import { checkNewPassword } from "./validation";

/** Where the mailed link leads. */
export function NewPasswordForm({ token }: { token: string }) {
  const words = appText.resetConfirm;
  const labels = appText.settings.changePassword;
  const navigate = useNavigate();
  const empty = { new_password: "", confirmation: "" };
  const { field, submission } = useForm(empty, checkNewPassword, confirm, { asOne: true });

  async function confirm({ new_password }: typeof empty) {
    const json = { token, new_password };
    const { device: given } = await api("post", "/api/password-reset/confirm", { json });
    device.keep(given);
    // It ended every session of the account, so one of this browser's is dead as well.
    forgetSession();
    tell(labels.done, words.doneMore);
    navigate(paths.login, { replace: true });
  }

  return (
    <PageForm
      below={<Elsewhere to={paths.reset} words={words.another} />}
      submission={submission}
      tone="mint"
      words={words}
    >
      <PasswordField
        {...field("new_password")}
        autoComplete="new-password"
        autoFocus
        hint={appText.signUp.password.hint}
        label={labels.next}
      />
      <PasswordField {...field("confirmation")} autoComplete="new-password" label={labels.confirmation} />
    </PageForm>
  );
}
