import { useState } from "react";
import { appText } from "@/shared/text/appText";
import { TagForm } from "@/shared/ui/form/TagForm";
import { AfterSending } from "./AfterSending";
import { NoteForm } from "./NoteForm";

type Props = { username: string; target: string };

/** Somebody's personal link: the form, and once it has been sent, what comes next. */
export function NotePage({ username, target }: Props) {
  const words = appText.note;
  const [sent, setSent] = useState(false);

  if (sent) return <AfterSending onAnother={() => setSent(false)} username={username} />;
  return (
    <TagForm tone="hot" words={{ ...words, small: words.small(username) }}>
      <NoteForm onSent={() => setSent(true)} target={target} username={username} />
    </TagForm>
  );
}
