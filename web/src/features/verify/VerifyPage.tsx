import { useState } from "react";
import { failureText } from "@/shared/text/failureText";
import { verifyText } from "@/shared/text/verifyText";
import { Button } from "@/shared/ui/Button";
import { ErrorBanner } from "@/shared/ui/form/ErrorBanner";
import { Field } from "@/shared/ui/form/Field";
import { TagForm } from "@/shared/ui/form/Form";
import { type Checked, check, grouped, names } from "./check";
import styles from "./VerifyPage.module.css";

/** Looks whether this browser has loaded what was published, in words that anybody can follow. */
export function VerifyPage() {
  const words = verifyText;
  const [progress, setProgress] = useState("");
  const [checked, setChecked] = useState<Checked>();
  const [failure, setFailure] = useState("");

  async function look() {
    setFailure("");
    setProgress(words.looking(0, 0));
    try {
      setChecked(await check((done, all) => setProgress(words.looking(done, all))));
    } catch (failure) {
      setFailure(failureText(failure));
    }
    setProgress("");
  }

  return (
    <TagForm tone="mint" words={{ heading: words.heading, small: words.small }}>
      <p>{words.lead}</p>
      <p>{words.how}</p>
      {checked && <Outcome checked={checked} />}
      <ErrorBanner onClose={() => setFailure("")} text={failure} />
      <div className={styles.submit} data-scripted>
        <Button busy={progress !== ""} kind="hot" onClick={() => void look()} size="l">
          {checked ? words.again : words.check}
        </Button>
      </div>
      <p className="soft" role="status">
        {progress}
      </p>
      <h2 className={styles.heading}>{words.limits.heading}</h2>
      <p>{words.limits.lies}</p>
      <pre className={styles.command}>annon web-hash</pre>
      <p>{words.limits.build}</p>
    </TagForm>
  );
}

function Outcome({ checked }: { checked: Checked }) {
  const words = verifyText;
  const { version, digest, count, different, unlisted } = checked;
  const [pasted, setPasted] = useState("");
  const odd = [...different, ...unlisted];
  return (
    <>
      <p className={styles.outcome} data-odd={odd.length > 0 || undefined} role="status">
        {odd.length === 0 ? words.same(count, version) : words.differs}
      </p>
      {odd.length > 0 && (
        <ul className={styles.files}>
          {odd.map((file) => (
            <li key={file}>{file}</li>
          ))}
        </ul>
      )}
      <p>{words.digest}</p>
      <p className={styles.digest} dir="ltr">
        {grouped(digest)}
      </p>
      <Field autoComplete="off" dir="ltr" label={words.paste} onValue={setPasted} rows={3} value={pasted} />
      {pasted.trim() !== "" && (
        <p className={styles.outcome} data-odd={!names(pasted, digest) || undefined} role="status">
          {names(pasted, digest) ? words.published : words.notPublished}
        </p>
      )}
    </>
  );
}
