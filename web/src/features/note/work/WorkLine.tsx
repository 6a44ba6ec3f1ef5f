import { duration } from "@/shared/text/failureText";
import { workText } from "@/shared/text/workText";
import { Button } from "@/shared/ui/Button";
import styles from "./WorkLine.module.css";
import type { Progress } from "./work";

/** Says what the browser does before a note is sent, and how long that takes. */
export function WorkLine({ progress, onStop }: { progress: Progress; onStop: () => void }) {
  const seconds = duration(Math.max(1, Math.round(progress.seconds)));
  return (
    <div className={styles.line}>
      {/* It is read out once, and not again whenever the estimate changes. */}
      <p role="status">{workText.why}</p>
      <p aria-hidden="true">{workText.about(seconds)}</p>
      <progress aria-label={workText.progress} className={styles.bar} max={1} value={progress.share} />
      <Button onClick={onStop} size="s">
        {workText.stop}
      </Button>
    </div>
  );
}
