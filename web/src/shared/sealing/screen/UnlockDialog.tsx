import { showNotice } from "@/shared/notices";
import { DeviceFailure } from "@/shared/text/failureText";
import { sealedInboxText } from "@/shared/text/sealedInboxText";
import { Field } from "@/shared/ui/form/Field";
import { FormDialog } from "@/shared/ui/form/Form";
import { useForm } from "@/shared/ui/form/useForm";
import { unlockWith } from "../ownKey";
import { readCode } from "../recovery";
import styles from "./code.module.css";

type Props = { username: string; onClose: () => void };

/** Says that a code can't be one, before anything is asked. */
function checkCode({ code }: { code: string }): { code?: string } {
  const { wrong } = readCode(code);
  return wrong ? { code: sealedInboxText.unlock[wrong] } : {};
}

/** Gives this device the key of its owner's inbox, by the recovery code. */
export function UnlockDialog({ username, onClose }: Props) {
  const words = sealedInboxText.unlock;
  const { field, submission } = useForm({ code: "" }, checkCode, open);

  async function open({ code }: { code: string }) {
    const wrong = await unlockWith(username, code);
    if (wrong) throw new DeviceFailure(words[wrong]);
    showNotice(words.done);
    onClose();
  }

  return (
    <FormDialog
      kind="hot"
      onClose={onClose}
      submission={submission}
      words={{ name: words.action, title: words.title, body: words.body }}
    >
      <div className={styles.typed}>
        <Field
          {...field("code")}
          autoCapitalize="characters"
          autoComplete="off"
          data-first
          dir="ltr"
          hint={words.hint}
          label={words.label}
          spellCheck={false}
        />
      </div>
      <p className="soft">{words.keeps}</p>
    </FormDialog>
  );
}
