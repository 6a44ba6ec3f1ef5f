import { api } from "@/shared/api/api";
import { showError, showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { failureText } from "@/shared/text/failureText";
import { inboxText } from "@/shared/text/inboxText";
import { shieldText } from "@/shared/text/shieldText";
import { Button } from "@/shared/ui/Button";
import styles from "./InboxList.module.css";
import { useInbox } from "./inboxStore";

/** Reminds owners that their page takes no notes. */
export function PausedNotice() {
  const isPaused = useInbox((inbox) => inbox.isPaused);
  const words = inboxText.paused;

  async function resume() {
    try {
      await api("patch", "/api/inbox", { json: { paused: false }, token: token() ?? "" });
      useInbox.setState({ isPaused: false });
      showNotice(shieldText.pause.off);
    } catch (failure) {
      showError(failureText(failure));
    }
  }

  if (!isPaused) return null;
  return (
    <div className={styles.state}>
      <p>{words.body}</p>
      <Button onClick={() => void resume()} size="s">
        {words.resume}
      </Button>
    </div>
  );
}
