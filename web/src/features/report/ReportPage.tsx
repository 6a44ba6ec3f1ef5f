import { useState } from "react";
import { useLocation } from "react-router-dom";
import { api } from "@/shared/api/api";
import { REPORT_MAX, REPORT_OF_PAGE_MIN } from "@/shared/contract/limits";
import { showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { characters, isBlank } from "@/shared/text/characters";
import { reportPageText } from "@/shared/text/reportPageText";
import { reportText } from "@/shared/text/reportText";
import { Field } from "@/shared/ui/form/Field";
import { PageForm, TagForm } from "@/shared/ui/form/Form";
import { formAnswer } from "@/shared/ui/form/formAnswer";
import { useForm } from "@/shared/ui/form/useForm";
import { SiteContact } from "@/shared/ui/SiteContact";
import { isConversation, pageIn } from "./pageIn";
import { StandingForm, standingAnswer } from "./StandingForm";

/** Reports a page from outside: nobody has to have an account, or to say who they are. */
export function ReportPage() {
  const { key, search } = useLocation();
  // Without scripts the server's answers are pages of their own. Whoever follows a link to this page begins anew.
  const isFirst = key === "default";
  const [sent] = useState(() => formAnswer(search));
  const [looked] = useState(() => standingAnswer(search));
  const [number] = useState(sentNumber);
  const answer = isFirst ? sent : undefined;
  const words = reportPageText;
  if (isFirst && looked) {
    return (
      <div data-standing={looked.state}>
        <StandingForm {...looked} alone />
      </div>
    );
  }
  if (answer === "sent") {
    return (
      <div data-answer="sent">
        <TagForm tone="sky" words={{ ...words, lead: reportText.done }}>
          <Receipt number={number} />
          <p>{words.danger}</p>
        </TagForm>
        <StandingForm number={number} />
      </div>
    );
  }
  return (
    <div data-answer={answer && "refused"}>
      <ReportForm {...answer} />
      <StandingForm />
    </div>
  );
}

/** The number in the answer to a form that was sent without scripts. */
function sentNumber(): string {
  return import.meta.env.SSR ? "{receipt}" : (document.querySelector("[data-receipt]")?.textContent ?? "");
}

function Receipt({ number }: { number: string }) {
  return (
    <p>
      {reportPageText.receipt.keep} <strong data-receipt>{number}</strong>
    </p>
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
  const words = reportPageText;
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

  const [receipt, setReceipt] = useState("");

  async function send({ link, words }: typeof empty) {
    const id = pageIn(link, window.location.host) ?? "";
    const json = { about: "page" as const, id, words: words.trim() };
    const { receipt } = await api("post", "/api/report", { json });
    write("link", "");
    write("words", "");
    setReceipt(receipt);
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
      {receipt && <Receipt number={receipt} />}
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
      link: isConversation(link) ? reportPageText.conversation : reportPageText.linkWrong,
    }),
    ...(isShort && { words: appText.codes.report_too_short }),
  };
}
