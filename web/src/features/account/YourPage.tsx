import { useState } from "react";
import { api, type Schemas } from "@/shared/api/api";
import { PAGE_LINE_MAX, PROMPT_MAX } from "@/shared/contract/limits";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { tellFailure } from "@/shared/session/tellFailure";
import { answersText } from "@/shared/text/answersText";
import { appText } from "@/shared/text/appText";
import { characters } from "@/shared/text/characters";
import { Field } from "@/shared/ui/form/Field";
import { FormDialog } from "@/shared/ui/form/Form";
import { Switch } from "@/shared/ui/form/Switch";
import { useForm } from "@/shared/ui/form/useForm";
import { Icon } from "@/shared/ui/icons";
import styles from "./SettingsPage.module.css";

type Page = Schemas["PageItem"];

/** Opens what the user has set up of their personal page, once the server has said what that is. */
export function YourPage() {
  const words = answersText.page;
  const [page, setPage] = useState<Page>();
  const [busy, setBusy] = useState(false);

  async function open() {
    setBusy(true);
    try {
      setPage(await api("get", "/api/page", { token: token() ?? "" }));
    } catch (failure) {
      tellFailure(failure);
    }
    setBusy(false);
  }

  return (
    <li>
      <button
        aria-disabled={busy || undefined}
        aria-haspopup="dialog"
        className={styles.row}
        onClick={() => busy || void open()}
        type="button"
      >
        <span>
          <span className={styles.action}>{words.name}</span>
          <span className={styles.more}>{words.more}</span>
        </span>
        <Icon name="next" />
      </button>
      {page && <PageDialog onClose={() => setPage(undefined)} page={page} />}
    </li>
  );
}

const PROMPT_FIELDS = ["first", "second", "third"] as const;

type Fields = Record<"line" | (typeof PROMPT_FIELDS)[number], string>;

/** The server counts in the same way. */
export function checkPage(fields: Fields): Partial<Fields> {
  const wrong: Partial<Fields> = {};
  if (characters(fields.line.trim()) > PAGE_LINE_MAX) wrong.line = appText.codes.page_line_too_long;
  for (const name of PROMPT_FIELDS)
    if (characters(fields[name].trim()) > PROMPT_MAX) wrong[name] = appText.codes.prompt_too_long;
  return wrong;
}

function PageDialog({ page, onClose }: { page: Page; onClose: () => void }) {
  const words = answersText.page;
  const [first = "", second = "", third = ""] = page.prompts;
  const [onlyForYou, setOnlyForYou] = useState(page.only_for_you);
  const { field, submission } = useForm({ line: page.line, first, second, third }, checkPage, save);

  async function save({ line, ...fields }: Fields) {
    const prompts = PROMPT_FIELDS.map((name) => fields[name].trim()).filter((prompt) => prompt !== "");
    const json = { line, prompts, only_for_you: onlyForYou };
    await api("patch", "/api/page", { json, token: token() ?? "" });
    showNotice(words.done);
    onClose();
  }

  const optional = { "aria-required": false, autoComplete: "off" } as const;
  return (
    <FormDialog
      kind="hot"
      onClose={onClose}
      submission={submission}
      words={{ name: words.save, body: words.body }}
    >
      <Field {...field("line")} {...optional} hint={words.line.hint} label={words.line.label} />
      {PROMPT_FIELDS.map((name, at) => (
        <Field
          {...field(name)}
          {...optional}
          hint={at === 0 ? words.promptHint : undefined}
          key={name}
          label={words.prompt(String(at + 1))}
        />
      ))}
      <Switch isOn={onlyForYou} name={words.onlyForYou} onChange={setOnlyForYou} />
    </FormDialog>
  );
}
