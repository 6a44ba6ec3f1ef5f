import { Link, useLocation, useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { paths } from "@/shared/contract/pages";
import { showNotice } from "@/shared/notices";
import { takeWanted } from "@/shared/session/wanted";
import { accountText } from "@/shared/text/accountText";
import { text } from "@/shared/text/text";
import { Check } from "@/shared/ui/form/Check";
import { Field } from "@/shared/ui/form/Field";
import { PageForm, TagForm } from "@/shared/ui/form/Form";
import { NewPasswordField } from "@/shared/ui/form/NewPasswordField";
import { useForm } from "@/shared/ui/form/useForm";
import { ButtonLink, Elsewhere } from "@/shared/ui/links";
import { signIn } from "./signIn";
import { asUsername, checkSignUp, signUpFieldOf, withoutEnds } from "./validation";

/**
 * Who may sign up here: the server has it in the page's first element. The page is drawn for each when the app is built,
 * by the address.
 */
function useSignUp() {
  const { search } = useLocation();
  return import.meta.env.SSR ? search.slice(1) : document.documentElement.dataset.signUp;
}

/** How old one has to be to sign up, if the operator has set that. The server puts it in. */
const minimumAge = import.meta.env.SSR ? "{minimum-age}" : document.documentElement.dataset.minimumAge;

/** The form, or, where nobody can sign up, a word about that. */
export function SignUpPage() {
  const words = accountText.signUp.closed;
  const signUp = useSignUp();
  // The link of an invitation may be opened in a tab that shows this page.
  const { hash } = useLocation();
  if (signUp !== "closed") return <SignUpForm byInvitation={signUp === "invitation"} key={hash} />;
  return (
    <TagForm below={<HaveAccount />} tone="hot" words={words}>
      <ButtonLink to={paths.landing}>{text.actions.toStart}</ButtonLink>
    </TagForm>
  );
}

function HaveAccount() {
  return <Elsewhere lead={accountText.signUp.haveAccount} to={paths.login} words={text.actions.signIn} />;
}

/** The invitation in a link: what is behind its `#i=`. The link as a whole can be pasted as well. */
const invitationIn = (link: string) => link.trim().split("#i=").at(-1) ?? "";

export function SignUpForm({ byInvitation = false }: { byInvitation?: boolean }) {
  const words = accountText.signUp;
  const navigate = useNavigate();
  const empty = { invitation: "", username: "", email: "", password: "", age: "" };
  const { field, write, submission } = useForm(empty, checkSignUp, register, {
    fieldOf: signUpFieldOf,
    kept: () => (byInvitation ? { invitation: invitationIn(window.location.hash) } : {}),
  });

  async function register({ invitation, username, email, password, age }: typeof empty) {
    const invited = byInvitation && { invitation: invitationIn(invitation) };
    const json = {
      ...invited,
      ...(minimumAge && { old_enough: age !== "" }),
      username: withoutEnds(username),
      email: email.trim(),
      password,
    };
    const { confirm_by_mail } = await api("post", "/api/register", { json });
    // The account is there. If signing in fails, the login says why.
    const isIn = await signIn(json.username, password).then(
      () => true,
      () => false,
    );
    showNotice(words.done, (confirm_by_mail ? words.welcomeByMail : words.welcome)(json.username));
    if (isIn) navigate(takeWanted() ?? paths.home, { replace: true });
    else navigate(paths.login, { state: { name: json.username } });
  }

  const username = field("username");
  const email = field("email");
  return (
    <PageForm
      below={<HaveAccount />}
      colour="sun"
      scripts="signUp"
      submission={submission}
      tone="hot"
      words={words}
    >
      {byInvitation && (
        <Field {...field("invitation")} {...words.invitation} autoComplete="off" spellCheck={false} />
      )}
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
      {minimumAge && (
        // The server leaves it out where no age is set.
        <section data-minimum-age-here>
          <Check
            checked={field("age").value !== ""}
            label={words.age(minimumAge)}
            onCheck={(isOn) => write("age", isOn ? "yes" : "")}
          />
        </section>
      )}
      <p>
        {words.agree}{" "}
        <Link className="target" to={paths.terms}>
          {text.footer.terms}
        </Link>
        {", "}
        <Link className="target" to={paths.privacy}>
          {text.footer.privacy}
        </Link>
      </p>
    </PageForm>
  );
}
