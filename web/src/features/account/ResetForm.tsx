import { useState } from "react";
import { Link } from "react-router-dom";
import { api } from "@/shared/api/api";
import { paths } from "@/shared/paths";
import { appText } from "@/shared/text/appText";
import { translated } from "@/shared/text/failureText";
import { ErrorBanner } from "@/shared/ui/form/ErrorBanner";
import { Field } from "@/shared/ui/form/Field";
import { Form } from "@/shared/ui/form/Form";
import { TagForm } from "@/shared/ui/form/TagForm";
import { useSubmission } from "@/shared/ui/form/useSubmission";
import { checkReset } from "./validation";

/** Asks for the mail with the link. The server says the same whether the address is known or not, and so do we. */
export function ResetForm() {
  const words = appText.reset;
  const [email, setEmail] = useState("");
  const [error, setError] = useState<string>();
  const [answer, setAnswer] = useState("");
  const submission = useSubmission(() => {
    setAnswer("");
    const wrong = checkReset(email);
    setError(wrong);
    return wrong === undefined && request();
  });

  async function request() {
    const said = await api("post", "/api/password-reset", { json: { email: email.trim() } });
    setAnswer(translated(said));
  }

  return (
    <TagForm
      below={<Link to={paths.login}>{words.back}</Link>}
      heading={words.heading}
      lead={words.lead}
      small={words.small}
      tone="sun"
    >
      <Form submission={submission} submit={words.submit}>
        <ErrorBanner colour="mint" onMessage={() => setAnswer("")} text={answer} />
        <Field
          autoComplete="email"
          error={error}
          label={appText.form.email}
          name="email"
          onValue={(value) => {
            setEmail(value);
            setError(undefined);
          }}
          type="email"
          value={email}
        />
      </Form>
    </TagForm>
  );
}
