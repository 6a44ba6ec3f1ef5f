import { type FormEvent, useState } from "react";
import { useLocation } from "react-router-dom";
import { ApiFailure } from "@/shared/api/client";
import { appText } from "@/shared/text/appText";
import { digestText } from "@/shared/text/digestText";
import { failureText } from "@/shared/text/failureText";
import { Button } from "@/shared/ui/Button";
import { TagForm } from "@/shared/ui/form/Form";
import form from "@/shared/ui/form/form.module.css";
import { formAnswer } from "@/shared/ui/form/formAnswer";

/**
 * The page of the link that ends mails. It asks first, because programs that scan mails open every link. Its form works
 * without scripts; with them the answer is shown here, also to somebody who is signed in.
 */
export function MailEndPage() {
  const { key, search } = useLocation();
  const [answer, setAnswer] = useState(() => (key === "default" ? formAnswer(search) : undefined));
  const { ended, submit, ...words } = digestText.end;

  async function end(event: FormEvent) {
    event.preventDefault();
    const response = await fetch(window.location.pathname, { method: "POST" }).catch(() => undefined);
    if (response?.ok) return setAnswer("sent");
    const isUsed = response?.status === 400;
    const why = isUsed ? appText.codes.link_used : failureText(new ApiFailure(response?.status ?? 0));
    setAnswer({ why, words: "", link: "" });
  }

  if (answer === "sent") {
    return (
      <div data-answer="sent">
        <TagForm tone="mint" words={{ ...words, lead: ended }}>
          {null}
        </TagForm>
      </div>
    );
  }
  return (
    <div data-answer={answer && "refused"}>
      <TagForm tone="mint" words={words}>
        <form className={form.form} method="post" onSubmit={end}>
          <p role="alert">{answer?.why}</p>
          <Button kind="hot" size="l" type="submit">
            {submit}
          </Button>
        </form>
      </TagForm>
    </div>
  );
}
