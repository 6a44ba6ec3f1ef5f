import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { tell } from "@/shared/notices";
import { paths } from "@/shared/paths";
import { appText } from "@/shared/text/appText";
import { text } from "@/shared/text/text";
import { Field } from "@/shared/ui/form/Field";
import { Form } from "@/shared/ui/form/Form";
import { PasswordField } from "@/shared/ui/form/PasswordField";
import { TagForm } from "@/shared/ui/form/TagForm";
import { useSubmission } from "@/shared/ui/form/useSubmission";
import { asUsername, checkSignUp, type Errors, type SignUp, withoutEnds } from "./validation";

export function SignUpForm() {
  const words = appText.signUp;
  const navigate = useNavigate();
  const [fields, setFields] = useState<SignUp>({ username: "", email: "", password: "" });
  const [errors, setErrors] = useState<Errors<keyof SignUp>>({});
  const submission = useSubmission(() => {
    const chosen = { ...fields, username: withoutEnds(fields.username), email: fields.email.trim() };
    setFields(chosen);
    const wrong = checkSignUp(chosen);
    setErrors(wrong);
    return Object.keys(wrong).length === 0 && register(chosen);
  });

  const change = (field: keyof SignUp) => (value: string) => {
    setFields({ ...fields, [field]: value });
    setErrors({ ...errors, [field]: undefined });
  };

  async function register(json: SignUp) {
    const { confirm_by_mail } = await api("post", "/api/register", { json });
    tell(words.done, (confirm_by_mail ? words.welcomeByMail : words.welcome)(json.username));
    navigate(paths.login);
  }

  return (
    <TagForm
      below={
        <>
          {words.haveAccount} <Link to={paths.login}>{text.actions.signIn}</Link>
        </>
      }
      heading={words.heading}
      lead={words.lead}
      small={words.small}
      tone="hot"
    >
      <Form colour="sun" submission={submission} submit={words.submit}>
        <Field
          autoCapitalize="none"
          autoComplete="username"
          error={errors.username}
          hint={words.usernameHint}
          label={appText.form.username}
          name="username"
          onBlur={() => setFields({ ...fields, username: withoutEnds(fields.username) })}
          onValue={change("username")}
          spellCheck={false}
          value={asUsername(fields.username)}
        />
        <Field
          autoComplete="email"
          error={errors.email}
          hint={words.emailHint}
          label={appText.form.email}
          name="email"
          onValue={change("email")}
          type="email"
          value={fields.email}
        />
        <PasswordField
          autoComplete="new-password"
          error={errors.password}
          hint={words.passwordHint}
          label={appText.form.password}
          name="password"
          onValue={change("password")}
          value={fields.password}
        />
      </Form>
    </TagForm>
  );
}
