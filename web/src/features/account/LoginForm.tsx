import { useLocation, useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { paths } from "@/shared/contract/pages";
import { showNotice } from "@/shared/notices";
import { keepsCookies } from "@/shared/session/cookies";
import { device } from "@/shared/session/device";
import { forgetSession, keepToken } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { DeviceFailure } from "@/shared/text/failureText";
import { text } from "@/shared/text/text";
import { Field } from "@/shared/ui/form/Field";
import { Elsewhere, PageForm } from "@/shared/ui/form/Form";
import form from "@/shared/ui/form/form.module.css";
import { PasswordField } from "@/shared/ui/form/PasswordField";
import { useForm } from "@/shared/ui/form/useForm";
import { checkLogin } from "./validation";

const needsCookies = () => (keepsCookies() ? "" : appText.login.needsCookies);

export function LoginForm() {
  const words = appText.login;
  const navigate = useNavigate();
  /** The page to go back to after a sign-in that had ended, and the name after a sign-up. */
  const { from = paths.home, name = "" }: { from?: string; name?: string } = useLocation().state ?? {};
  const given = { email_or_username: name, password: "" };
  const options = { asOne: true, before: needsCookies };
  const { field, submission } = useForm(given, checkLogin, signIn, options);

  async function signIn({ email_or_username, password }: typeof given) {
    // Tested before: a sign-in that can't be kept would leave a token that nobody can use or end.
    const needed = needsCookies();
    if (needed !== "") throw new DeviceFailure(needed);
    const json = { email_or_username: email_or_username.trim(), password, ...device.shown() };
    const { access_token, device: given } = await api("post", "/api/login", { json });
    device.keep(given);
    // Somebody else may have been signed in here, and the next page must not show that name.
    forgetSession();
    const where = keepToken(access_token);
    if (where === "not kept") throw new DeviceFailure(words.needsCookies);
    showNotice(where === "kept" ? words.done : words.forThisPage);
    // `replace`, so that going back skips the form.
    navigate(from, { replace: true });
  }

  return (
    <PageForm
      below={<Elsewhere lead={words.noAccount} to={paths.signup} words={text.actions.signUp} />}
      scripts="login"
      submission={submission}
      tone="sky"
      words={words}
    >
      <Field
        {...field("email_or_username")}
        autoCapitalize="none"
        autoComplete="username"
        autoFocus={name === ""}
        label={words.identifier}
        spellCheck={false}
      />
      <PasswordField
        {...field("password")}
        autoComplete="current-password"
        autoFocus={name !== ""}
        label={appText.signUp.password.label}
      />
      <p className={form.aside}>
        <Elsewhere to={paths.reset} words={words.forgot} />
      </p>
    </PageForm>
  );
}
