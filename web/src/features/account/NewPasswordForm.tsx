import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { tell } from "@/shared/notices";
import { paths } from "@/shared/paths";
import { device } from "@/shared/session/device";
import { forgetSession } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { Form } from "@/shared/ui/form/Form";
import { PasswordField } from "@/shared/ui/form/PasswordField";
import { TagForm } from "@/shared/ui/form/TagForm";
import { useSubmission } from "@/shared/ui/form/useSubmission";
import { checkNewPassword, type Errors } from "./validation";

/** Where the mailed link leads. */
export function NewPasswordForm({ token }: { token: string }) {
  const words = appText.resetConfirm;
  const navigate = useNavigate();
  const [next, setNext] = useState("");
  const [confirmation, setConfirmation] = useState("");
  const [errors, setErrors] = useState<Errors<"next" | "confirmation">>({});
  const submission = useSubmission(() => {
    const wrong = checkNewPassword(next, confirmation);
    setErrors(wrong);
    return Object.keys(wrong).length === 0 && confirm();
  });

  // Whichever is typed in, the other may be right now: the passwords are the same, or not.
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setErrors({});
  };

  async function confirm() {
    const json = { token, new_password: next };
    const { device: given } = await api("post", "/api/password-reset/confirm", { json });
    device.keep(given);
    // It ended every session of the account, so one of this browser's is dead as well.
    forgetSession();
    tell(words.done, words.doneMore);
    navigate(paths.login, { replace: true });
  }

  return (
    <TagForm
      below={<Link to={paths.reset}>{words.another}</Link>}
      heading={words.heading}
      lead={words.lead}
      small={words.small}
      tone="mint"
    >
      <Form submission={submission} submit={words.submit}>
        <PasswordField
          autoComplete="new-password"
          error={errors.next}
          hint={appText.signUp.passwordHint}
          label={words.newPassword}
          name="new_password"
          onValue={change(setNext)}
          value={next}
        />
        <PasswordField
          autoComplete="new-password"
          error={errors.confirmation}
          label={words.confirmation}
          name="confirmation"
          onValue={change(setConfirmation)}
          value={confirmation}
        />
      </Form>
    </TagForm>
  );
}
