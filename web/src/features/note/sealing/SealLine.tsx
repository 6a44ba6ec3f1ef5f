import { useEffect, useState } from "react";
import { SealMark } from "@/shared/sealing/screen/SealMark";
import { sealedNoteText } from "@/shared/text/sealedNoteText";
import styles from "./SealLine.module.css";
import { refusalIn } from "./sealedNote";
import { type Sealing, type Standing, standingOf } from "./standing";

/** Beside the button that sends: that the note is sealed and what that means, or why it isn't. */
export function SealLine({ seal, pinned, name }: Sealing & { name: string }) {
  const words = sealedNoteText;
  const [standing, setStanding] = useState<Standing>();
  useEffect(() => {
    let isGone = false;
    void standingOf({ seal, pinned }).then((found) => isGone || setStanding(found));
    return () => {
      isGone = true;
    };
  }, [seal, pinned]);
  return (
    <div role="status">
      {standing === "sealed" && (
        <p className={styles.sealed}>
          <SealMark about={words.about(name)} mark={words.mark} /> <span>{words.only(name)}</span>
        </p>
      )}
      {standing && standing !== "sealed" && (
        <p className={styles.warning} data-refuses={standing !== "open" || undefined}>
          {refusalIn(standing, name) ?? words.open(name)}
        </p>
      )}
    </div>
  );
}
