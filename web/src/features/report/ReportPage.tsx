import { useState } from "react";
import { useLocation } from "react-router-dom";
import { api } from "@/shared/api/api";
import { REPORT_MAX, REPORT_OF_PAGE_MIN } from "@/shared/contract/limits";
import { showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { characters, isBlank } from "@/shared/text/characters";
import { reportText } from "@/shared/text/reportText";
import { Field } from "@/shared/ui/form/Field";
import { PageForm, TagForm } from "@/shared/ui/form/Form";
import { formAnswer } from "@/shared/ui/form/formAnswer";
import { useForm } from "@/shared/ui/form/useForm";
import { SiteContact } from "@/shared/ui/SiteContact";
import { isConversation, pageIn } from "./pageIn";

/** Reports a page from outside: nobody has to have an account, or to say who they are. */
export function ReportPage() {
  const { search } = useLocation();
  // Without scripts the server's answer is a page of its own.
  const [answer] = useState(() => formAnswer(search));
  const words = reportText.page;
  if (answer === "sent") {
    return (
      <div data-answer="sent">
        <TagForm tone="sky" words={{ ...words, lead: reportText.done }}>
          <p>{words.danger}</p>
        </TagForm>
      </div>
    );
  }
  return (
    <div data-answer={answer && "refused"}>
      <ReportForm {...answer} />
    </div>
  );
}

/** The form, with what was refused in it. */
function ReportForm({
  why = "",
  link = "",
  words: said = "",
}: {
  why?: string;
  link?: string;
  words?: string;
}) {
  const words = reportText.page;
  const { page = link }: { page?: string } = useLocation().state ?? {};
  const empty = { link: page, words: said };
  const { field, write, submission } = useForm(empty, check, send, {
    failure: why,
    fieldOf: {
      no_such_person: "link",
      group_expired: "link",
      report_too_short: "words",
      report_too_long: "words",
    },
  });

  async function send({ link, words }: typeof empty) {
    const id = pageIn(link, window.location.host) ?? "";
    await api("post", "/api/report", { json: { about: "page", id, words: words.trim() } });
    write("link", "");
    write("words", "");
    showNotice(reportText.done);
  }

  return (
    <PageForm submission={submission} tone="sky" words={words}>
      <Field
        {...field("link")}
        autoCapitalize="none"
        autoComplete="off"
        autoFocus
        hint={words.linkHint}
        inputMode="url"
        label={words.link}
        spellCheck={false}
      />
      <Field {...field("words")} label={words.why} max={REPORT_MAX} rows={5} />
      <p>{words.danger}</p>
      <SiteContact />
    </PageForm>
  );
}

function check({ link, words }: { link: string; words: string }) {
  const page = pageIn(link, window.location.host);
  const isShort = isBlank(words) || characters(words.trim()) < REPORT_OF_PAGE_MIN;
  return {
    ...(page === undefined && {
      link: isConversation(link) ? reportText.page.conversation : reportText.page.linkWrong,
    }),
    ...(isShort && { words: appText.codes.report_too_short }),
  };
}
