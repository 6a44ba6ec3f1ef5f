import { useState } from "react";
import { api } from "@/shared/api/api";
import { isRefusedWith } from "@/shared/api/client";
import { reportPageText } from "@/shared/text/reportPageText";
import { Field } from "@/shared/ui/form/Field";
import { PageForm } from "@/shared/ui/form/Form";
import { useForm } from "@/shared/ui/form/useForm";

type State = keyof typeof reportPageText.receipt.states;

/** The server's answer to a number that was sent without scripts. A refusal has no state, and says why. */
type StandingAnswer = { state: State | "refused"; number: string; why: string };

/** Where the pages are drawn, the address says which answer to draw; later the page on the screen is that answer. */
export function standingAnswer(search: string): StandingAnswer | undefined {
  if (import.meta.env.SSR) {
    const state = new URLSearchParams(search).get("standing");
    return state ? { state: state as State, number: "{receipt}", why: "{why}" } : undefined;
  }
  const page = document.querySelector<HTMLElement>("[data-standing]");
  if (!page) return;
  const number = page.querySelector("input")?.value ?? "";
  const why = page.querySelector("[role=alert]")?.textContent ?? "";
  return { state: page.dataset.standing as State, number, why };
}

/** Tells how a report stands, by its number. Alone, it is the page. */
export function StandingForm({
  alone = false,
  number = "",
  state: first,
  why = "",
}: Partial<StandingAnswer> & { alone?: boolean }) {
  const words = reportPageText.receipt;
  const [state, setState] = useState(first === "refused" ? undefined : first);
  const failure = first === "refused" ? why : "";
  const { field, submission } = useForm({ receipt: number }, () => ({}), look, { failure });

  async function look({ receipt }: { receipt: string }) {
    setState(undefined);
    const looked = api("post", "/api/report/receipt", { json: { receipt } });
    const { state } = await looked.catch((failure: unknown) => {
      if (isRefusedWith(failure, "nothing_here")) return { state: "unknown" as const };
      throw failure;
    });
    setState(state);
  }

  return (
    <PageForm second={!alone} submission={submission} tone="sky" words={{ ...words, small: "" }}>
      <Field {...field("receipt")} autoComplete="off" label={words.label} spellCheck={false} />
      <p role="status">{state && words.states[state]}</p>
    </PageForm>
  );
}
