import { useState } from "react";
import { api } from "@/shared/api/api";
import { FEEDBACK_MAX, FEEDBACK_MIN } from "@/shared/contract/limits";
import { tell } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { isBlank } from "@/shared/text/blank";
import { characters } from "@/shared/text/characters";
import { Form } from "@/shared/ui/form/Form";
import { TagForm } from "@/shared/ui/form/TagForm";
import { TextArea } from "@/shared/ui/form/TextArea";
import { useSubmission } from "@/shared/ui/form/useSubmission";
import { PicturePicker } from "./PicturePicker";
import { shrunk } from "./picture";

export function FeedbackForm() {
  const words = appText.feedback;
  const [feedback, setFeedback] = useState("");
  const [picture, setPicture] = useState<File>();
  const [error, setError] = useState<string>();
  const submission = useSubmission(() => {
    const isShort = isBlank(feedback) || characters(feedback.trim()) < FEEDBACK_MIN;
    const wrong = isShort ? appText.codes.feedback_too_short : undefined;
    setError(wrong);
    return wrong === undefined && send();
  });

  async function send() {
    const body = new FormData();
    body.set("feedback", feedback.trim());
    if (picture) body.set("feedback_image", await shrunk(picture));
    await api("post", "/api/feedback", { form: body });
    setFeedback("");
    setPicture(undefined);
    tell(words.done, words.doneMore);
  }

  return (
    <TagForm heading={words.heading} lead={words.lead} small={words.small} tone="lilac">
      <Form submission={submission} submit={words.submit}>
        <TextArea
          error={error}
          label={words.words}
          max={FEEDBACK_MAX}
          name="feedback"
          onValue={(value) => {
            setFeedback(value);
            setError(undefined);
          }}
          rows={6}
          value={feedback}
        />
        <PicturePicker onPicture={setPicture} picture={picture} />
      </Form>
    </TagForm>
  );
}
