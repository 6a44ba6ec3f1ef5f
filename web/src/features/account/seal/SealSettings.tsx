import { useEffect, useRef } from "react";
import type { Schemas } from "@/shared/api/api";
import { copyAndTell } from "@/shared/clipboard";
import { AboutSeal } from "@/shared/sealing/screen/SealMark";
import { useOwnLink, useOwnSeal } from "@/shared/session/ownSeal";
import { appText } from "@/shared/text/appText";
import { sealedInboxText } from "@/shared/text/sealedInboxText";
import { Button } from "@/shared/ui/Button";
import { Switch } from "@/shared/ui/form/Switch";
import { Icon } from "@/shared/ui/icons";
import { Row } from "../Row";
import settings from "../SettingsPage.module.css";
import type { Step } from "./SealDialog";
import styles from "./seal.module.css";

type Props = {
  username: string;
  seal: Schemas["SealData"];
  change: (json: { on?: boolean; open_notes?: boolean }, said: string) => Promise<void>;
  /** The step that led back here. */
  last: Step | undefined;
  onStep: (step: Step) => void;
};

/** What an owner can change of a seal that there is, be it on or off. */
export function SealSettings({ username, seal, change, last, onStep }: Props) {
  const { about, openNotes, settings: words, begun, isOff } = sealedInboxText;
  const here = useOwnSeal((own) => own.here);
  const link = useOwnLink(username);
  const isHere = here === "yes";
  const row = (name: keyof typeof words.rows, act: () => void) => (
    // Another row in its place is another button.
    <li key={name}>
      <button
        aria-haspopup={name === "again" ? undefined : "dialog"}
        className={settings.row}
        data-first={name === last || undefined}
        onClick={act}
        type="button"
      >
        <Row {...words.rows[name]} />
      </button>
    </li>
  );
  const rows = useRef<HTMLUListElement>(null);
  const { on } = seal;
  // Who has pressed "Seal again" has no such row any more.
  useEffect(() => {
    if (on && document.activeElement === document.body) rows.current?.querySelector("button")?.focus();
  }, [on]);
  const step = (name: Step) => row(name, () => onStep(name));

  return (
    <>
      <p>{isHere ? words.here : here === "no" ? words.notHere : words.otherHere}</p>
      {on ? (
        <div className={styles.link}>
          <p>{words.link}</p>
          <Button onClick={() => void copyAndTell(link, appText.home.link.copied)} size="s">
            <Icon name="copy" size={18} /> {appText.home.link.copy}
          </Button>
        </div>
      ) : (
        <p>{isOff}</p>
      )}
      {on && (
        <Switch
          isOn={seal.open_notes}
          more={openNotes.more}
          name={openNotes.name}
          onChange={(isOn) => void change({ open_notes: isOn }, isOn ? openNotes.on : openNotes.off)}
        />
      )}
      <ul className={styles.rows} ref={rows}>
        {!on && row("again", () => void change({ on: true }, begun))}
        {isHere ? step("handover") : step("unlock")}
        {isHere && step("newCode")}
        {step("newKey")}
        {on && step("off")}
      </ul>
      <details className={styles.about}>
        <summary>{words.protects}</summary>
        <AboutSeal about={about} />
      </details>
    </>
  );
}
