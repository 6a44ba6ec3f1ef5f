import { useEffect, useRef, useState } from "react";
import { fontsReady, paint } from "@/shared/capture/paint";
import { type LookName, lookNames, type ShapeName, shapeNames } from "@/shared/capture/themes";
import { asPng, saveFile } from "@/shared/files";
import { showError } from "@/shared/notices";
import { answersText } from "@/shared/text/answersText";
import { appText } from "@/shared/text/appText";
import { inboxText } from "@/shared/text/inboxText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { Choice } from "@/shared/ui/form/Choice";
import { Icon } from "@/shared/ui/icons";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import styles from "./CaptureDialog.module.css";

type Props = {
  message: string;
  /** What was answered in public, to be in the picture as well. */
  answer?: string | undefined;
  username: string;
  onClose: () => void;
};

/** Shows a note as a picture. The shown picture is the file that is saved. */
export function CaptureDialog({ message, answer, username, onClose }: Props) {
  const words = inboxText.picture;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [shape, setShape] = useState<ShapeName>("story");
  const [look, setLook] = useState<LookName>("paper");

  useEffect(() => {
    const address = `${window.location.host}/${username}`;
    const heading = answer === undefined ? text.aNote : answersText.heading(username);
    const picture = { message, answer, heading, invite: text.invite, address, shape, look };
    // When the fonts are loaded, pictures are painted in the order of the calls.
    void fontsReady().then(() => canvas.current && paint(canvas.current, picture));
  }, [message, answer, username, shape, look]);

  async function hand(over: (file: File) => Promise<void> | void) {
    try {
      if (canvas.current) await over(await asPng(canvas.current, `annon-inbox-${username}`));
    } catch (failure) {
      // Closing the share sheet is no failure.
      if (!(failure instanceof DOMException && failure.name === "AbortError")) showError(words.failed);
    }
  }

  return (
    <Dialog onClose={onClose} title={words.title} wide>
      <div className={styles.sheet}>
        <canvas
          aria-label={answer === undefined ? words.preview(message) : answersText.preview(message, answer)}
          className={styles.preview}
          data-shape={shape}
          ref={canvas}
          role="img"
        />
        <div className={styles.choices}>
          <Choice
            chosen={shape}
            label={words.shape}
            onChoose={setShape}
            options={shapeNames}
            words={(name) => words.shapes[name]}
          />
          <Choice
            chosen={look}
            label={words.theme}
            onChoose={setLook}
            options={lookNames}
            words={(name) => words.themes[name]}
          />
          <div className={styles.actions}>
            <Button kind="hot" onClick={() => hand(saveFile)}>
              <Icon name="download" /> {appText.download}
            </Button>
            {canShareFiles() && (
              <Button onClick={() => hand((file) => navigator.share({ files: [file] }))}>
                <Icon name="share" /> {words.share}
              </Button>
            )}
          </div>
        </div>
      </div>
    </Dialog>
  );
}

function canShareFiles(): boolean {
  const probe = new File([], "probe.png", { type: "image/png" });
  return typeof navigator.canShare === "function" && navigator.canShare({ files: [probe] });
}
