import { useCallback, useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { isTrouble } from "@/shared/api/client";
import { paths } from "@/shared/contract/pages";
import { showNotice } from "@/shared/notices";
import { token as bearer } from "@/shared/session/session";
import { accountText } from "@/shared/text/accountText";
import { failureText } from "@/shared/text/failureText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { Fields, TagForm } from "@/shared/ui/form/Form";
import form from "@/shared/ui/form/form.module.css";
import { useSubmission } from "@/shared/ui/form/useForm";
import { Loader } from "@/shared/ui/Loader";
import { Elsewhere } from "@/shared/ui/links";
import { NeedsScripts } from "@/shared/ui/NeedsScripts";

/**
 * The page of the mailed link that confirms an address. It asks first, because anybody can sign up with any address,
 * and programs that scan mails open every link. The Enter key alone says no.
 */
export function ConfirmForm({ token }: { token: string }) {
  const words = accountText.confirm;
  const [username, setUsername] = useState<string>();
  const [failure, setFailure] = useState<{ why: unknown }>();

  const lookUp = useCallback(() => {
    setFailure(undefined);
    api("post", "/api/confirm-email/account", { json: { token } }).then(
      (answer) => setUsername(answer.username),
      (why) => setFailure({ why }),
    );
  }, [token]);
  useEffect(lookUp, [lookUp]);

  return (
    <TagForm
      below={<Elsewhere to={paths.login} words={text.actions.signIn} />}
      tone="sky"
      words={username === undefined ? { heading: words.title, small: "" } : words.asks(username)}
    >
      {username !== undefined && <Question token={token} />}
      <NeedsScripts why="confirm" />
      {username === undefined && !failure && <Loader kind="wheel" />}
      <div className={form.form}>
        <p role="alert">{failure && failureText(failure.why)}</p>
        {failure && isTrouble(failure.why) && (
          <Button kind="hot" onClick={lookUp} size="l">
            {text.actions.retry}
          </Button>
        )}
      </div>
    </TagForm>
  );
}

function Question({ token }: { token: string }) {
  const words = accountText.confirm;
  const navigate = useNavigate();
  const submission = useSubmission(async (pressed) => {
    const isMine = pressed === "yes";
    await api(isMine ? "post" : "delete", "/api/confirm-email", { json: { token } });
    if (isMine) showNotice(words.done, words.doneMore);
    else showNotice(words.refused, words.refusedMore);
    // The landing page shows no notices.
    navigate(isMine && bearer() !== undefined ? paths.settings : paths.login, { replace: true });
  });
  return (
    <Fields
      send={
        <>
          <Button busy={submission.busy} kind="hot" size="l" type="submit" value="yes">
            {words.yes}
          </Button>
          <Button autoFocus busy={submission.busy} size="l" type="submit" value="no">
            {words.no}
          </Button>
        </>
      }
      submission={submission}
    />
  );
}
