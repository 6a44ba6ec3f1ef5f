import { useEffect, useId, useRef, useState } from "react";
import { READABLE } from "@/shared/shrink";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { Icon } from "@/shared/ui/icons";
import styles from "./PicturePicker.module.css";

type Props = { picture: File | undefined; onPicture: (picture: File | undefined) => void };

export function PicturePicker({ picture, onPicture }: Props) {
  const words = appText.feedback;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();

  function choose(chosen: File | undefined) {
    if (!chosen) return;
    const wrong = READABLE.includes(chosen.type) ? undefined : words.pictureType;
    setError(wrong);
    if (!wrong) onPicture(chosen);
  }

  function remove() {
    setError(undefined);
    onPicture(undefined);
    input.current?.focus();
  }

  function refuse() {
    setError(words.pictureUnreadable);
    onPicture(undefined);
  }

  return (
    <div className={styles.picker}>
      <input
        accept={READABLE.join(",")}
        aria-describedby={`${id}-hint`}
        aria-invalid={error ? true : undefined}
        className="visually-hidden"
        id={id}
        onChange={({ target }) => {
          choose(target.files?.[0]);
          // Otherwise the same file could not be chosen again.
          target.value = "";
        }}
        ref={input}
        type="file"
      />
      {picture && <Preview onUnreadable={refuse} picture={picture} />}
      <div className="row">
        <label className={styles.choose} htmlFor={id}>
          <Icon name="picture" /> {picture ? words.changePicture : words.picture}
        </label>
        {picture && (
          <Button onClick={remove} size="s">
            {words.removePicture}
          </Button>
        )}
      </div>
      <p className={error ? styles.error : "soft"} id={`${id}-hint`} role={error ? "alert" : undefined}>
        {error ?? words.pictureHint}
      </p>
    </div>
  );
}

function Preview({ picture, onUnreadable }: { picture: File; onUnreadable: () => void }) {
  const image = useRef<HTMLImageElement>(null);

  useEffect(() => {
    const address = URL.createObjectURL(picture);
    if (image.current) image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [picture]);

  return (
    <img alt={appText.feedback.pictureAlt} className={styles.preview} onError={onUnreadable} ref={image} />
  );
}
