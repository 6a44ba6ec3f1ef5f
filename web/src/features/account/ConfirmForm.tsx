import { Link, useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { tell } from "@/shared/notices";
import { paths } from "@/shared/paths";
import { token as bearer } from "@/shared/session";
import { appText } from "@/shared/text/appText";
import { text } from "@/shared/text/text";
import { Form } from "@/shared/ui/Form";
import { TagForm } from "@/shared/ui/TagForm";
import { useSubmission } from "@/shared/ui/useSubmission";

/**
 * Where the link leads that confirms an address. It takes a press of the button: programs that look through mails
 * open every link, and would confirm what nobody has read.
 */
export function ConfirmForm({ token }: { token: string }) {
  const words = appText.confirm;
  const navigate = useNavigate();
  const submission = useSubmission(confirm);

  async function confirm() {
    await api("post", "/api/confirm-email", { json: { token } });
    tell(words.done, words.doneMore);
    navigate(bearer() === undefined ? paths.login : paths.settings, { replace: true });
    return true;
  }

  return (
    <TagForm
      below={<Link to={paths.login}>{text.actions.signIn}</Link>}
      heading={words.heading}
      lead={words.lead}
      small={words.small}
      tone="sky"
    >
      <Form submission={submission} submit={words.submit}>
        {null}
      </Form>
    </TagForm>
  );
}
