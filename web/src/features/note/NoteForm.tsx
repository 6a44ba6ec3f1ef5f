import { useState } from "react";
import { api } from "@/shared/api/api";
import { ApiFailure } from "@/shared/api/client";
import { NOTE_MAX, NOTE_MIN } from "@/shared/contract/limits";
import { tabStorage } from "@/shared/storage";
import { appText } from "@/shared/text/appText";
import { isBlank } from "@/shared/text/blank";
import { characters } from "@/shared/text/characters";
import { Form } from "@/shared/ui/form/Form";
import { TextArea } from "@/shared/ui/form/TextArea";
import { useSubmission } from "@/shared/ui/form/useSubmission";

/** What was written to somebody and not sent lives through a reload, and no longer than the tab. */
const DRAFT = "annon.note.";

type Props = {
  username: string;
  target: string;
  /** Not the first form: the button that asked for it is gone, so the focus moves here. */
  isAnother: boolean;
  onSent: () => void;
};

export function NoteForm({ username, target, isAnother, onSent }: Props) {
  const words = appText.note;
  const [message, setMessage] = useState(() => tabStorage.getItem(DRAFT + username) ?? "");
  const [error, setError] = useState<string>();
  const submission = useSubmission(() => {
    const wrong = checkNote(message);
    setError(wrong);
    return wrong === undefined && send();
  });

  const sendTo = (id: string) => api("post", "/api/annon-message", { json: { id, message: message.trim() } });

  /** The target changes when its owner renews their link, and this page may have been open since before. */
  async function send() {
    try {
      await sendTo(target);
    } catch (failure) {
      if (!(failure instanceof ApiFailure && failure.status === 404)) throw failure;
      const now = await api("get", "/api/annon/{username}", { params: { username } });
      await sendTo(now.message);
    }
    tabStorage.removeItem(DRAFT + username);
    onSent();
  }

  return (
    <Form colour="sun" submission={submission} submit={words.submit}>
      <TextArea
        autoComplete="off"
        autoFocus={isAnother}
        error={error}
        label={words.words}
        max={NOTE_MAX}
        name="message"
        onValue={(value) => {
          setMessage(value);
          tabStorage.setItem(DRAFT + username, value);
          setError(undefined);
        }}
        placeholder={words.placeholder}
        rows={6}
        value={message}
      />
    </Form>
  );
}

/** The text area caps the length, so a note can only be too short; blanks around it don't count. */
export function checkNote(message: string): string | undefined {
  const isShort = isBlank(message) || characters(message.trim()) < NOTE_MIN;
  return isShort ? appText.codes.note_too_short : undefined;
}
