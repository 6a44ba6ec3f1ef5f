import { api, type Schemas } from "@/shared/api/api";
import { HELD_WORD_MAX, HELD_WORDS } from "@/shared/contract/limits";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { shieldText } from "@/shared/text/shieldText";
import { Field } from "@/shared/ui/form/Field";
import { FormDialog } from "@/shared/ui/form/Form";
import { useForm } from "@/shared/ui/form/useForm";

type Props = {
  held: string[];
  onClose: () => void;
  onSaved: (settings: Schemas["InboxSettings"]) => void;
};

/** The words and phrases for which notes are held back, one a line. */
export function HeldWordsDialog({ held, onClose, onSaved }: Props) {
  const { save: name, ...words } = shieldText.words;
  const { field, submission } = useForm({ words: held.join("\n") }, () => ({}), save, {
    fieldOf: { held_word_invalid: "words", too_many_held_words: "words" },
  });

  async function save({ words: lines }: { words: string }) {
    const held_words = lines
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    onSaved(await api("patch", "/api/inbox", { json: { held_words }, token: token() ?? "" }));
    showNotice(words.saved);
    onClose();
  }

  return (
    <FormDialog
      kind="hot"
      onClose={onClose}
      submission={submission}
      words={{ name, body: words.body, title: words.title }}
    >
      <Field
        {...field("words")}
        aria-required={false}
        autoComplete="off"
        hint={words.hint}
        label={words.label}
        max={HELD_WORDS * (HELD_WORD_MAX + 1)}
        rows={8}
      />
    </FormDialog>
  );
}
