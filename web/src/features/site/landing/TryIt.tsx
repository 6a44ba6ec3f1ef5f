import { type ComponentType, lazy, Suspense, useState } from "react";
import { NOTE_MAX } from "@/shared/contract/limits";
import { text } from "@/shared/text/text";
import { CaptureDemo } from "./Demos";
import styles from "./Demos.module.css";

/** The drawing code is loaded when something is typed. Until then, and without it, there is the demo. */
const Sticker = lazy<ComponentType<{ note: string; className: string | undefined }>>(() =>
  import("./Sticker").then(
    ({ Sticker }) => ({ default: Sticker }),
    () => ({ default: CaptureDemo }),
  ),
);

/** The visitor types a note and sees the picture that can be made of it. Nothing is sent. */
export function TryIt() {
  const words = text.landing.how;
  const [note, setNote] = useState("");
  return (
    <div className={styles.try}>
      <textarea
        aria-label={words.try}
        className={styles.box}
        data-scripted
        maxLength={NOTE_MAX}
        onChange={(event) => setNote(event.target.value)}
        placeholder={words.notes[0]}
        rows={3}
      />
      {note.trim() === "" ? (
        <CaptureDemo />
      ) : (
        <Suspense fallback={<CaptureDemo />}>
          <Sticker className={styles.sticker} note={note} />
        </Suspense>
      )}
    </div>
  );
}
