import { useState } from "react";
import { createPortal } from "react-dom";
import { copyAndTell } from "@/shared/clipboard";
import { showNotice } from "@/shared/notices";
import { type Drawn, sealWith } from "@/shared/sealing/ownKey";
import { signsOf } from "@/shared/sealing/recovery";
import code from "@/shared/sealing/screen/code.module.css";
import { siteName } from "@/shared/siteName";
import { sealedInboxText } from "@/shared/text/sealedInboxText";
import { Button } from "@/shared/ui/Button";
import { Field } from "@/shared/ui/form/Field";
import { FormDialog } from "@/shared/ui/form/Form";
import { useForm } from "@/shared/ui/form/useForm";
import { Icon } from "@/shared/ui/icons";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import dialog from "@/shared/ui/overlay/Dialog.module.css";
import styles from "./seal.module.css";

type Props = {
  username: string;
  drawn: Drawn;
  openNotes: boolean;
  /** What is said when the code is in use. */
  done: string;
  onClose: () => void;
};

/** Shows a new recovery code, and puts it to use once its owner has shown that they have it elsewhere. */
export function NewCode(props: Props) {
  const [isKept, setKept] = useState(false);
  return isKept ? (
    <Checked {...props} key="checked" onAgain={() => setKept(false)} />
  ) : (
    <Shown {...props} key="shown" onKept={() => setKept(true)} />
  );
}

function Shown({ username, drawn, onKept, onClose }: Props & { onKept: () => void }) {
  const words = sealedInboxText.code;
  return (
    <Dialog body={words.body} onClose={onClose} title={words.title}>
      <p className={code.code} dir="ltr">
        <span className="visually-hidden">{words.label}: </span>
        {drawn.code.split(/(?<=-)/).map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two groups can be the same, and none moves
          <span key={at}>{group}</span>
        ))}
      </p>
      <div className={dialog.actions}>
        <Button onClick={() => void copyAndTell(drawn.code, words.copied)}>
          <Icon name="copy" /> {words.copy}
        </Button>
        <Button onClick={() => window.print()}>{words.print}</Button>
        <Button kind="hot" onClick={onKept}>
          {words.kept}
        </Button>
      </div>
      {createPortal(
        <div className={styles.sheet}>
          <p>{words.sheet(username, `${siteName} (${window.location.host})`)}</p>
          <strong dir="ltr">{drawn.code}</strong>
          <p>{words.keep}</p>
        </div>,
        document.body,
      )}
    </Dialog>
  );
}

/** One of the code's five groups. */
const anyGroup = () => crypto.getRandomValues(new Uint32Array(1)).reduce((_, drawn) => drawn % 5, 0);

/** Whoever has kept the code somewhere can type a part of it. All of it is fine, too. */
function Checked({ username, drawn, openNotes, done, onAgain, onClose }: Props & { onAgain: () => void }) {
  const words = sealedInboxText.confirm;
  const [at] = useState(anyGroup);
  const nth = words.nth[at] ?? "";
  const { field, submission } = useForm({ group: "" }, check, save);

  function check({ group }: { group: string }): { group?: string } {
    const typed = signsOf(group);
    const isIt = typed === drawn.code.split("-")[at] || typed === drawn.code.replaceAll("-", "");
    return isIt ? {} : { group: words.wrong(nth) };
  }

  async function save() {
    await sealWith(username, drawn, openNotes);
    showNotice(done);
    onClose();
  }

  return (
    <FormDialog
      kind="hot"
      onClose={onClose}
      submission={submission}
      words={{ name: words.action, title: words.title, body: words.body(nth) }}
    >
      <div className={code.typed}>
        <Field
          {...field("group")}
          autoCapitalize="characters"
          autoComplete="off"
          data-first
          dir="ltr"
          label={words.label(nth)}
          spellCheck={false}
        />
      </div>
      <p>
        <Button onClick={onAgain} size="s">
          {words.again}
        </Button>
      </p>
    </FormDialog>
  );
}
