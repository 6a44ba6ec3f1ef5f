import { useEffect, useRef, useState } from "react";
import { api } from "@/shared/api/api";
import { REPORT_LINES, REPORT_MAX } from "@/shared/contract/limits";
import { showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { withoutOverrides } from "@/shared/text/directions";
import { reportText } from "@/shared/text/reportText";
import { Check } from "@/shared/ui/form/Check";
import { Field } from "@/shared/ui/form/Field";
import { FormDialog } from "@/shared/ui/form/Form";
import { useForm } from "@/shared/ui/form/useForm";
import styles from "./ReportDialog.module.css";

/** A message that can be shown to the operator. The server reads its words from its own record. */
export type ReportLine = { seq: number; from: string; words: string };

/** How the reporter proves that they may see it. */
type Access = { token?: string; key?: string; seat?: Record<string, string> };

type Props = {
  about: "note" | "conversation" | "room";
  id: string;
  /** What the dialog is called, and what it says about who gets what. */
  words: { name: string; body: string };
  /** A conversation's sender has to derive their key first. */
  access: () => Access | Promise<Access>;
  lines?: readonly ReportLine[];
  /** The message that the menu was opened at. */
  chosen?: number | undefined;
  /** The server can't read the messages, so their words go with the report. */
  isSealed?: boolean;
  /** The words of a sealed note, or of the one that a sealed conversation began with. */
  opened?: string | undefined;
  onClose: () => void;
};

/** The number that stands for the note in a report. */
const NOTE = 0;

const openedOf = ({ seq, words }: ReportLine) => ({ seq, words: words || reportText.photo });

/** Reports something to the operator, with the messages that are chosen. */
export function ReportDialog(props: Props) {
  const { about, id, words, access, lines = [], chosen, isSealed, onClose } = props;
  const [shown, setShown] = useState<readonly number[]>(chosen === undefined ? [] : [chosen]);
  const { field, submission } = useForm({ words: "" }, () => ({}), send, {
    before: () => "",
    fieldOf: { report_too_long: "words" },
  });
  const list = useRef<HTMLDivElement>(null);
  // Once the dialog is open, the message that it was opened for is in view.
  useEffect(() => {
    // What it returns is a promise in newer browsers.
    void list.current?.querySelector(":checked")?.scrollIntoView({ block: "nearest" });
  }, []);
  const isEmpty = about === "room" && shown.length === 0;

  async function send({ words }: { words: string }) {
    const opened = isSealed ? lines.filter(({ seq }) => shown.includes(seq)).map(openedOf) : [];
    if (props.opened !== undefined) opened.unshift({ seq: NOTE, words: props.opened });
    const json = { about, id, lines: [...shown], opened, words: words.trim() };
    const { receipt } = await api("post", "/api/report", { json, ...(await access()) });
    showNotice(reportText.done, reportText.number(receipt));
    onClose();
  }

  function choose(seq: number, isChosen: boolean) {
    const others = shown.filter((other) => other !== seq);
    setShown(isChosen ? [...others, seq].slice(-REPORT_LINES) : others);
  }

  return (
    <FormDialog disabled={isEmpty} kind="hot" onClose={onClose} submission={submission} words={words}>
      {lines.length > 0 && (
        <fieldset className={styles.lines}>
          <legend>{reportText.lines}</legend>
          <div className={styles.list} ref={list}>
            {lines.map(({ seq, from, words }) => (
              <Check
                checked={shown.includes(seq)}
                key={seq}
                label={reportText.line(from, withoutOverrides(words) || reportText.photo)}
                onCheck={(isChosen) => choose(seq, isChosen)}
              />
            ))}
          </div>
        </fieldset>
      )}
      <Field {...field("words")} aria-required={false} label={reportText.why} max={REPORT_MAX} rows={3} />
      {isEmpty && <p className="soft">{appText.codes.report_lines_invalid}</p>}
    </FormDialog>
  );
}
