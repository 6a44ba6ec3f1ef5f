import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { showNotice } from "@/shared/notices";
import { takeWanted } from "@/shared/session/wanted";
import { accountText } from "@/shared/text/accountText";
import { text } from "@/shared/text/text";
import { Field } from "@/shared/ui/form/Field";
import { PageForm } from "@/shared/ui/form/Form";
import form from "@/shared/ui/form/form.module.css";
import { PasswordField } from "@/shared/ui/form/PasswordField";
import { useForm } from "@/shared/ui/form/useForm";
import { Elsewhere } from "@/shared/ui/links";
import { needsCookies, signIn } from "./signIn";
import { checkLogin } from "./validation";

export function LoginForm() {
  const words = accountText.login;
  const navigate = useNavigate();
  /** The page to go back to after a sign-in that had ended, and the name after a sign-up. */
  const { from, name = "" }: { from?: string; name?: string } = useLocation().state ?? {};
  const given = { email_or_username: name, password: "" };
  const options = { asOne: true, before: needsCookies };
  const { field, submission } = useForm(given, checkLogin, send, options);

  async function send({ email_or_username, password }: typeof given) {
    const where = await signIn(email_or_username.trim(), password);
    showNotice(where === "kept" ? words.done : words.forThisPage);
    // `replace`, so that going back skips the form.
    navigate(from ?? takeWanted() ?? paths.home, { replace: true });
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
        label={accountText.signUp.password.label}
      />
      <p className={form.aside}>
        <Elsewhere to={paths.reset} words={words.forgot} />
      </p>
    </PageForm>
  );
}
