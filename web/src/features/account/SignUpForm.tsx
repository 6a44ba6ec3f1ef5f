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
import { useForm } from "@/shared/ui/form/useForm";
import { asUsername, checkSignUp, type SignUp, withoutEnds } from "./validation";

export function SignUpForm() {
  const words = appText.signUp;
  const navigate = useNavigate();
  const empty = { username: "", email: "", password: "" };
  const { field, write, submission } = useForm(empty, checkSignUp, register);

  async function register({ username, email, password }: SignUp) {
    const json = { username: withoutEnds(username), email: email.trim(), password };
    const { confirm_by_mail } = await api("post", "/api/register", { json });
    tell(words.done, (confirm_by_mail ? words.welcomeByMail : words.welcome)(json.username));
    navigate(paths.login, { state: { name: json.username } });
  }

  const username = field("username");
  return (
    <TagForm
      below={
        <>
          {words.haveAccount}{" "}
          <Link className="target" to={paths.login}>
            {text.actions.signIn}
          </Link>
        </>
      }
      tone="hot"
      words={words}
    >
      <Form colour="sun" submission={submission} submit={words.submit}>
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
        <Field {...field("email")} {...words.email} autoComplete="email" type="email" />
        <PasswordField {...field("password")} {...words.password} autoComplete="new-password" />
      </Form>
    </TagForm>
  );
}
