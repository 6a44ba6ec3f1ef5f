import { useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { paths } from "@/shared/contract/pages";
import { showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { text } from "@/shared/text/text";
import { Field } from "@/shared/ui/form/Field";
import { Elsewhere, PageForm } from "@/shared/ui/form/Form";
import { NewPasswordField } from "@/shared/ui/form/NewPasswordField";
import { useForm } from "@/shared/ui/form/useForm";
import { asUsername, checkSignUp, signUpFieldOf, withoutEnds } from "./validation";

export function SignUpForm() {
  const words = appText.signUp;
  const navigate = useNavigate();
  const empty = { username: "", email: "", password: "" };
  const { field, write, submission } = useForm(empty, checkSignUp, register, {
    fieldOf: signUpFieldOf,
  });

  async function register({ username, email, password }: typeof empty) {
    const json = { username: withoutEnds(username), email: email.trim(), password };
    const { confirm_by_mail } = await api("post", "/api/register", { json });
    showNotice(words.done, (confirm_by_mail ? words.welcomeByMail : words.welcome)(json.username));
    navigate(paths.login, { state: { name: json.username } });
  }

  const username = field("username");
  const email = field("email");
  return (
    <PageForm
      below={<Elsewhere lead={words.haveAccount} to={paths.login} words={text.actions.signIn} />}
      colour="sun"
      scripts="signUp"
      submission={submission}
      tone="hot"
      words={words}
    >
      <Field
        {...username}
        {...words.username}
        autoCapitalize="none"
        autoComplete="username"
        autoFocus
        onBlur={() => write("username", withoutEnds(username.value))}
        spellCheck={false}
        value={asUsername(username.value)}
      />
      <Field {...email} {...words.email} autoComplete="email" type="email" />
      <NewPasswordField
        {...field("password")}
        {...words.password}
        known={[username.value, ...email.value.split("@")]}
      />
    </PageForm>
  );
}
