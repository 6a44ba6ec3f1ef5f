import { useState } from "react";
import { api } from "@/shared/api/api";
import { FEEDBACK_MAX, FEEDBACK_MIN } from "@/shared/contract/limits";
import { showNotice } from "@/shared/notices";
import { asSent, fromPixels } from "@/shared/shrink";
import { appText } from "@/shared/text/appText";
import { characters, isBlank } from "@/shared/text/characters";
import { Field } from "@/shared/ui/form/Field";
import { PageForm } from "@/shared/ui/form/Form";
import { useForm } from "@/shared/ui/form/useForm";
import { PicturePicker } from "./PicturePicker";

export function FeedbackForm() {
  const words = appText.feedback;
  const [picture, setPicture] = useState<File>();
  const { field, write, submission } = useForm({ feedback: "" }, check, send);

  async function send({ feedback }: { feedback: string }) {
    const body = new FormData();
    body.set("feedback", feedback.trim());
    if (picture) body.set("feedback_image", await shrunk(picture));
    await api("post", "/api/feedback", { form: body });
    write("feedback", "");
    setPicture(undefined);
    showNotice(words.done, words.doneMore);
  }

  return (
    <PageForm scripts="feedback" submission={submission} tone="lilac" words={words}>
      <Field {...field("feedback")} autoFocus label={words.words} max={FEEDBACK_MAX} rows={6} />
      <PicturePicker onPicture={setPicture} picture={picture} />
    </PageForm>
  );
}

/**
 * Shrinks a picture, because a phone's photo is larger than the server accepts. A file that this browser can't read is
 * sent as it is, and the server decides.
 */
function shrunk(picture: File): Promise<Blob> {
  return fromPixels(picture, (bitmap) => asSent(picture, bitmap)).catch(() => picture);
}

function check({ feedback }: { feedback: string }) {
  const isShort = isBlank(feedback) || characters(feedback.trim()) < FEEDBACK_MIN;
  return isShort ? { feedback: appText.codes.feedback_too_short } : {};
}
