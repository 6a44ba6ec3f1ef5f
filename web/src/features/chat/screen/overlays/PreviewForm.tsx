import { useEffect, useState } from "react";
import { CAPTION_MAX } from "@/shared/contract/limits";
import { appText } from "@/shared/text/appText";
import { capped, characters } from "@/shared/text/characters";
import { chatText } from "@/shared/text/chatText";
import { Button } from "@/shared/ui/Button";
import { Field } from "@/shared/ui/form/Field";
import { IconButton } from "@/shared/ui/IconButton";
import dialog from "@/shared/ui/overlay/Dialog.module.css";
import { useRoom } from "../chatContext";
import { messageAt } from "../log/rows";
import styles from "./PreviewForm.module.css";

export function PreviewForm({ pictures, onClose }: { pictures: readonly File[]; onClose: () => void }) {
  const words = chatText.screen.preview;
  const { store, actions, screen } = useRoom();
  const [captions, setCaptions] = useState<ReadonlyMap<File, string>>(new Map());
  const [addresses, setAddresses] = useState<readonly string[]>([]);
  const [at, setAt] = useState(0);
  const [unreadable, setUnreadable] = useState<ReadonlySet<File>>(new Set());
  const shown = Math.min(at, pictures.length - 1);
  // There is always a picture: the last one can't be removed.
  const file = pictures[shown] as File;
  const caption = captions.get(file) ?? "";

  useEffect(() => {
    const made = pictures.map((picture) => URL.createObjectURL(picture));
    setAddresses(made);
    return () => {
      for (const address of made) URL.revokeObjectURL(address);
    };
  }, [pictures]);

  function fail(index: number) {
    const broken = pictures[index];
    if (!broken) return;
    setUnreadable((before) => new Set(before).add(broken));
    setAt(index);
  }

  function leaveOut() {
    screen.setState({ open: { is: "preview", pictures: pictures.filter((picture) => picture !== file) } });
  }

  function send(event: React.FormEvent) {
    event.preventDefault();
    const replyTo = messageAt(store.getState(), screen.getState().replyTo);
    for (const [index, picture] of pictures.entries()) {
      // Only the first picture is the answer.
      actions.sendPicture(picture, captions.get(picture) ?? "", index === 0 ? replyTo : undefined);
    }
    actions.keepDraft({ words: actions.draft().words, replyTo: undefined });
    screen.setState({ replyTo: undefined });
    onClose();
  }

  return (
    <form className={styles.form} onSubmit={send}>
      <div className={styles.frame}>
        {unreadable.has(file) ? (
          <p role="alert">{appText.feedback.pictureUnreadable}</p>
        ) : (
          addresses[shown] && (
            <img
              alt={words.alt(shown + 1, pictures.length)}
              className={styles.picture}
              onError={() => fail(shown)}
              src={addresses[shown]}
            />
          )
        )}
      </div>
      {pictures.length > 1 && (
        <div className={styles.strip}>
          {addresses.map((address, index) => (
            <button
              aria-label={words.choose(index + 1)}
              aria-pressed={index === shown}
              className={styles.small}
              key={address}
              onClick={() => setAt(index)}
              title={words.choose(index + 1)}
              type="button"
            >
              <img alt="" onError={() => fail(index)} src={address} />
            </button>
          ))}
          <IconButton icon="trash" label={appText.feedback.removePicture} onClick={leaveOut} />
        </div>
      )}
      <Field
        aria-required={false}
        autoComplete="off"
        dir="auto"
        hint={appText.form.count(characters(caption), CAPTION_MAX)}
        label={words.caption}
        onValue={(next) => setCaptions(new Map(captions).set(file, capped(next, CAPTION_MAX)))}
        value={caption}
      />
      <div className={dialog.actions}>
        <Button onClick={onClose}>{appText.dialog.cancel}</Button>
        <Button disabled={pictures.some((picture) => unreadable.has(picture))} kind="hot" type="submit">
          {chatText.screen.composer.send}
        </Button>
      </div>
    </form>
  );
}
