import { useEffect, useId, useState } from "react";
import { api } from "@/shared/api/api";
import { isSignedOut } from "@/shared/api/client";
import { showError, showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { useSignInAgain } from "@/shared/session/useSignInAgain";
import { appText } from "@/shared/text/appText";
import { failureText } from "@/shared/text/failureText";
import styles from "./SettingsPage.module.css";

/** Switches between notes in batches and notes at once. It is disabled until the server has answered which is on. */
export function BatchSwitch() {
  const words = appText.settings.batches;
  const [isOn, setOn] = useState<boolean>();
  const [busy, setBusy] = useState(false);
  const id = useId();
  const signInAgain = useSignInAgain();

  useEffect(() => {
    let left = false;
    api("get", "/api/inbox", { token: token() ?? "" }).then(
      ({ batches }) => left || setOn(batches),
      (failure) => left || failed(failure, signInAgain),
    );
    return () => {
      left = true;
    };
  }, [signInAgain]);

  async function toggle() {
    setBusy(true);
    try {
      const json = { batches: !isOn };
      const { batches } = await api("patch", "/api/inbox", { json, token: token() ?? "" });
      setOn(batches);
      showNotice(batches ? words.on : words.off);
    } catch (failure) {
      failed(failure, signInAgain);
    }
    setBusy(false);
  }

  return (
    <li>
      <button
        aria-checked={isOn ?? false}
        aria-describedby={`${id}more`}
        aria-disabled={isOn === undefined || busy}
        aria-labelledby={`${id}name`}
        className={styles.row}
        onClick={() => isOn === undefined || busy || void toggle()}
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

function failed(failure: unknown, signInAgain: () => void) {
  if (isSignedOut(failure)) signInAgain();
  else showError(failureText(failure));
}
