import { useState } from "react";
import { flushSync } from "react-dom";
import { chatText } from "@/shared/text/chatText";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import dialog from "@/shared/ui/overlay/Dialog.module.css";
import { useRoom, useScreen } from "../chatContext";
import { memberName } from "../named";
import styles from "./KickDialog.module.css";

/** Asks before somebody is removed, and whether what they said goes with them. */
export function KickDialog() {
  const words = chatText.screen.kick;
  const { actions, screen } = useRoom();
  const doomed = useScreen((state) => state.doomed);
  const [withMessages, setWithMessages] = useState(false);
  const [busy, setBusy] = useState(false);
  if (doomed === undefined) return null;

  function close() {
    screen.setState({ doomed: undefined });
  }

  async function kick(emoji: string) {
    setBusy(true);
    await actions.kick(emoji, withMessages);
    setBusy(false);
    // The button that asked goes with the seat, and the others are out of reach as long as this is open.
    flushSync(close);
    document.getElementById("members")?.querySelector("button")?.focus();
  }

  return (
    <Dialog body={words.body} onClose={close} title={words.title(memberName(doomed))}>
      <div className={styles.who}>
        <EmojiDisc emoji={doomed} size="l" />
      </div>
      <label className={styles.choice}>
        <input
          checked={withMessages}
          onChange={(event) => setWithMessages(event.target.checked)}
          type="checkbox"
        />
        {words.withMessages}
      </label>
      <div className={dialog.actions}>
        <Button data-first onClick={close}>
          {chatText.screen.preview.cancel}
        </Button>
        <Button busy={busy} kind="danger" onClick={() => void kick(doomed)}>
          {words.action}
        </Button>
      </div>
    </Dialog>
  );
}
