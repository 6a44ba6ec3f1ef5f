import { useState } from "react";
import { api } from "@/shared/api/api";
import { paths } from "@/shared/paths";
import { appText } from "@/shared/text/appText";
import { translated } from "@/shared/text/failureText";
import { ErrorBanner } from "@/shared/ui/form/ErrorBanner";
import { Field } from "@/shared/ui/form/Field";
import { PageForm } from "@/shared/ui/form/Form";
import { Elsewhere } from "@/shared/ui/form/TagForm";
import { useForm } from "@/shared/ui/form/useForm";
import { checkReset } from "./validation";

/** Asks for the mail with the link. The server says the same whether the address is known or not, and so do we. */
export function ResetForm() {
  const words = appText.reset;
  const [answer, setAnswer] = useState("");
  const { field, submission } = useForm({ email: "" }, checkReset, request);

  async function request({ email }: { email: string }) {
    const reply = await api("post", "/api/password-reset", { json: { email: email.trim() } });
    setAnswer(translated(reply));
  }

  const about = field("email");
  return (
    <PageForm
      below={<Elsewhere to={paths.login} words={words.back} />}
      submission={submission}
      tone="sun"
      words={words}
    >
      <ErrorBanner colour="mint" onClose={() => setAnswer("")} text={answer} />
      <Field
        {...about}
        autoComplete="email"
        autoFocus
        label={appText.signUp.email.label}
        onValue={(value) => {
          about.onValue(value);
          setAnswer("");
        }}
        type="email"
      />
    </PageForm>
  );
}
