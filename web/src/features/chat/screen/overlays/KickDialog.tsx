import { useState } from "react";
import { flushSync } from "react-dom";
import { appText } from "@/shared/text/appText";
import { groupLinkText } from "@/shared/text/groupLinkText";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { Check } from "@/shared/ui/form/Check";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import dialog from "@/shared/ui/overlay/Dialog.module.css";
import type { Emoji } from "../../model/chat";
import { useRoom } from "../chatContext";
import { memberName } from "../named";
import styles from "./KickDialog.module.css";

/** Asks before a member is removed, and whether their messages are removed too. */
export function KickDialog({ emoji, onClose }: { emoji: Emoji; onClose: () => void }) {
  const words = groupLinkText.kick;
  const { actions, screen, store } = useRoom();
  const [withMessages, setWithMessages] = useState(false);
  const [busy, setBusy] = useState(false);

  async function kick() {
    setBusy(true);
    const isDone = await actions.kick(emoji, withMessages);
    setBusy(false);
    // Who is removed from a sealed group still has its key.
    if (isDone && store.getState().room.key !== undefined) {
      screen.setState({ open: { is: "allBut", emoji } });
      return;
    }
    // The button that opened this disappears with the seat. Others can get the focus only after the dialog is closed.
    flushSync(onClose);
    document.getElementById("members")?.querySelector("button")?.focus();
  }

  return (
    <Dialog body={words.body} onClose={onClose} title={words.title(memberName(emoji))}>
      <EmojiDisc className={styles.who} emoji={emoji} size="l" />
      <Check checked={withMessages} label={words.withMessages} onCheck={setWithMessages} />
      <div className={dialog.actions}>
        <Button data-first onClick={onClose}>
          {appText.dialog.cancel}
        </Button>
        <Button busy={busy} kind="danger" onClick={kick}>
          {words.action}
        </Button>
      </div>
    </Dialog>
  );
}
