import { api } from "@/shared/api/api";
import { tell } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { translated } from "@/shared/text/failureText";
import { Button } from "@/shared/ui/Button";
import { ErrorBanner } from "@/shared/ui/form/ErrorBanner";
import { useSubmission } from "@/shared/ui/form/useSubmission";
import styles from "./SettingsPage.module.css";

/** Stands under an address whose mailed link nobody has used yet: it signs nobody in. */
export function UnconfirmedAddress() {
  const words = appText.settings.unconfirmed;
  const { busy, failure, closeFailure, onSubmit } = useSubmission(sendAgain);

  async function sendAgain() {
    tell(translated(await api("post", "/api/user/send-confirmation", { token: token() ?? "" })));
  }

  return (
    <form className={styles.unconfirmed} onSubmit={onSubmit}>
      <p className={styles.label}>{words.notYet}</p>
      <Button busy={busy} size="s" type="submit">
        {words.sendAgain}
      </Button>
      <ErrorBanner onClose={closeFailure} text={failure} />
    </form>
  );
}
