import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { tell } from "@/shared/notices";
import { paths } from "@/shared/paths";
import { token as bearer } from "@/shared/session";
import { appText } from "@/shared/text/appText";
import { failureText } from "@/shared/text/failureText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { ErrorBanner } from "@/shared/ui/ErrorBanner";
import { Form } from "@/shared/ui/Form";
import form from "@/shared/ui/form.module.css";
import { Loader } from "@/shared/ui/Loader";
import { TagForm } from "@/shared/ui/TagForm";
import { useSubmission } from "@/shared/ui/useSubmission";

/**
 * Where the link leads that joins an address to an account. It asks first: anybody can sign up with anybody's address,
 * and programs that look through mails open every link. Who only presses Enter says no.
 */
export function ConfirmForm({ token }: { token: string }) {
  const words = appText.confirm;
  const [username, setUsername] = useState<string>();
  const [failure, setFailure] = useState("");

  useEffect(() => {
    api("post", "/api/confirm-email/account", { json: { token } }).then(
      (answer) => setUsername(answer.username),
      (error) => setFailure(failureText(error)),
    );
  }, [token]);

  return (
    <TagForm
      below={<Link to={paths.login}>{text.actions.signIn}</Link>}
      heading={username === undefined ? words.title : words.heading(username)}
      lead={username && words.lead(username)}
      small={username === undefined ? "" : words.small}
      tone="sky"
    >
      {username !== undefined && <Question token={token} />}
      {username === undefined && failure === "" && <Loader kind="wheel" />}
      <ErrorBanner onMessage={() => setFailure("")} text={failure} />
    </TagForm>
  );
}

function Question({ token }: { token: string }) {
  const words = appText.confirm;
  const navigate = useNavigate();
  const yes = useSubmission(async () => {
    await api("post", "/api/confirm-email", { json: { token } });
    tell(words.done, words.doneMore);
    navigate(bearer() === undefined ? paths.login : paths.settings, { replace: true });
  });
  const no = useSubmission(async () => {
    await api("delete", "/api/confirm-email", { json: { token } });
    tell(words.refused, words.refusedMore);
    navigate(paths.landing, { replace: true });
  });
  return (
    <>
      <Form submission={yes} submit={words.yes}>
        {null}
      </Form>
      <form className={form.form} onSubmit={no.onSubmit}>
        <Button autoFocus busy={no.busy} size="l" type="submit">
          {words.no}
        </Button>
        <ErrorBanner onMessage={no.closeFailure} text={no.failure} />
      </form>
    </>
  );
}
