import { useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { paths } from "@/shared/contract/pages";
import { showNotice } from "@/shared/notices";
import { device } from "@/shared/session/device";
import { forgetSession } from "@/shared/session/session";
import { accountText } from "@/shared/text/accountText";
import { appText } from "@/shared/text/appText";
import { translated } from "@/shared/text/failureText";
import { Field } from "@/shared/ui/form/Field";
import { PageForm } from "@/shared/ui/form/Form";
import { NewPasswordField } from "@/shared/ui/form/NewPasswordField";
import { PasswordField } from "@/shared/ui/form/PasswordField";
import { useForm } from "@/shared/ui/form/useForm";
import { Elsewhere } from "@/shared/ui/links";
import { checkNewPassword, checkReset, newPasswordFieldOf } from "./validation";

/** Asks for the mail with the link. The answer is the same whether or not an account has the address. */
export function ResetForm() {
  const words = accountText.reset;
  const navigate = useNavigate();
  const { field, submission } = useForm({ email: "" }, checkReset, request);

  async function request({ email }: { email: string }) {
    const reply = await api("post", "/api/password-reset", { json: { email: email.trim() } });
    showNotice(translated(reply));
    navigate(paths.login);
  }

  return (
    <PageForm
      below={<Elsewhere to={paths.login} words={words.back} />}
      scripts="reset"
      submission={submission}
      tone="sun"
      words={words}
    >
      <Field
        {...field("email")}
        autoComplete="email"
        autoFocus
        label={accountText.signUp.email.label}
        type="email"
      />
    </PageForm>
  );
}

/** The page of the mailed reset link. */
export function NewPasswordForm({ token }: { token: string }) {
  const words = accountText.resetConfirm;
  const labels = appText.settings.changePassword;
  const navigate = useNavigate();
  const empty = { new_password: "", confirmation: "" };
  const { field, submission } = useForm(empty, checkNewPassword, confirm, {
    asOne: true,
    fieldOf: newPasswordFieldOf,
  });

  async function confirm({ new_password }: typeof empty) {
    const json = { token, new_password };
    const { device: given } = await api("post", "/api/password-reset/confirm", { json });
    device.keep(given);
    // The new password ended every sign-in of the account, also one in this browser. The key of a sealed inbox stays:
    // somebody who has forgotten both the password and the recovery code may have it nowhere else.
    forgetSession(true);
    showNotice(labels.done, words.doneMore);
    navigate(paths.login, { replace: true });
  }

  return (
    <PageForm
      below={<Elsewhere to={paths.reset} words={words.another} />}
      scripts="reset"
      submission={submission}
      tone="mint"
      words={words}
    >
      <NewPasswordField
        {...field("new_password")}
        autoFocus
        hint={accountText.signUp.password.hint}
        label={labels.next}
      />
      <PasswordField {...field("confirmation")} autoComplete="new-password" label={labels.confirmation} />
    </PageForm>
  );
}
