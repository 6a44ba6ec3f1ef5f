import { lazy, Suspense, useEffect, useId, useState } from "react";
import { api, type Schemas } from "@/shared/api/api";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { tellFailure } from "@/shared/session/tellFailure";
import { appText } from "@/shared/text/appText";
import { shieldText } from "@/shared/text/shieldText";
import { Choice } from "@/shared/ui/form/Choice";
import { Row } from "./Row";
import styles from "./SettingsPage.module.css";

type Settings = Schemas["InboxSettings"];

type Opened = "words" | "blocks" | "seal";

const MODES = ["off", "auto", "always"] as const;

const HeldWordsDialog = lazy(async () => ({ default: (await import("./HeldWordsDialog")).HeldWordsDialog }));
const SealDialog = lazy(async () => ({ default: (await import("./seal/SealDialog")).SealDialog }));
const BlocksDialog = lazy(async () => ({ default: (await import("./BlocksDialog")).BlocksDialog }));

/**
 * What an owner sets for their inbox. Switches are disabled until the server has answered how it is. A dialog can be asked
 * for before that: it opens as soon as it has what it shows.
 */
export function InboxSettings({ username }: { username: string }) {
  const [settings, setSettings] = useState<Settings>();
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState<Opened>();
  const close = () => setOpen(undefined);

  useEffect(() => {
    let left = false;
    api("get", "/api/inbox", { token: token() ?? "" }).then(
      (settings) => left || setSettings(settings),
      (failure) => left || tellFailure(failure),
    );
    return () => {
      left = true;
    };
  }, []);

  async function change(json: Schemas["SetInbox"], said: (changed: Settings) => string) {
    setBusy(true);
    try {
      const changed = await api("patch", "/api/inbox", { json, token: token() ?? "" });
      setSettings(changed);
      showNotice(said(changed));
    } catch (failure) {
      setSettings(settings);
      tellFailure(failure);
    }
    setBusy(false);
  }

  const toggled = (name: "batches" | "paused", words: SwitchWords & { on: string; off: string }) => (
    <SettingSwitch
      disabled={settings === undefined || busy}
      isOn={settings?.[name] ?? false}
      onToggle={() =>
        void change({ [name]: !settings?.[name] }, (changed) => (changed[name] ? words.on : words.off))
      }
      words={words}
    />
  );
  const opens = (dialog: Opened, more: string) => (
    <li>
      <button aria-haspopup="dialog" className={styles.row} onClick={() => setOpen(dialog)} type="button">
        <Row more={more} name={shieldText[dialog].name} />
      </button>
    </li>
  );

  return (
    <ul aria-label={appText.settings.notes} className={styles.list}>
      {toggled("batches", appText.settings.batches)}
      {toggled("paused", shieldText.pause)}
      {opens("words", shieldText.words.more(settings?.held_words.length ?? 0))}
      {opens("blocks", shieldText.blocks.more)}
      {opens("seal", shieldText.seal.more)}
      {settings && (
        <li className={styles.choice}>
          <Choice
            chosen={settings.shield}
            label={shieldText.mode.name}
            onChoose={(shield) => {
              // A radio button shows at once what was chosen, and what was before if that fails.
              setSettings({ ...settings, shield });
              void change({ shield }, () => shieldText.mode.saved);
            }}
            options={MODES}
            words={(mode) => shieldText.mode.of[mode]}
          />
          <p className={styles.more}>{shieldText.mode.more}</p>
        </li>
      )}
      <Suspense>
        {open === "words" && settings && (
          <HeldWordsDialog held={settings.held_words} onClose={close} onSaved={setSettings} />
        )}
        {open === "blocks" && <BlocksDialog onClose={close} />}
        {open === "seal" && <SealDialog onClose={close} username={username} />}
      </Suspense>
    </ul>
  );
}

type SwitchWords = { name: string; more: string };
type SwitchProps = { words: SwitchWords; isOn: boolean; disabled: boolean; onToggle: () => void };

function SettingSwitch({ words, isOn, disabled, onToggle }: SwitchProps) {
  const id = useId();
  return (
    <li>
      <button
        aria-checked={isOn}
        aria-describedby={`${id}more`}
        aria-disabled={disabled}
        aria-labelledby={`${id}name`}
        className={styles.row}
        onClick={() => disabled || onToggle()}
        role="switch"
        type="button"
      >
        <span>
          <span className={styles.action} id={`${id}name`}>
            {words.name}
          </span>
          <span className={styles.more} id={`${id}more`}>
            {words.more}
          </span>
        </span>
        <span aria-hidden="true" className={styles.switch} />
      </button>
    </li>
  );
}
