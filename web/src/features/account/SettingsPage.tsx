import { lazy, Suspense, useState } from "react";
import { Link } from "react-router-dom";
import { api, type Schemas } from "@/shared/api/api";
import { paths } from "@/shared/contract/pages";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { translated } from "@/shared/text/failureText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { ErrorBanner } from "@/shared/ui/form/ErrorBanner";
import { useSubmission } from "@/shared/ui/form/useForm";
import { LanguageSwitch, ThemeSwitch } from "@/shared/ui/switches";
import { ChangePasswordDialog, DeleteAccountDialog, LogOutDialog, RenewLinkDialog } from "./dialogs";
import { InboxSettings } from "./InboxSettings";
import { Row } from "./Row";
import styles from "./SettingsPage.module.css";
import { YourPage } from "./YourPage";

const SignInsDialog = lazy(async () => ({ default: (await import("./SignInsDialog")).SignInsDialog }));

const AwaySettings = lazy(async () => ({ default: (await import("./AwaySettings")).AwaySettings }));

const DIALOGS = {
  away: AwaySettings,
  signIns: SignInsDialog,
  renewLink: RenewLinkDialog,
  changePassword: ChangePasswordDialog,
  logOut: LogOutDialog,
  deleteAccount: DeleteAccountDialog,
};

export function SettingsPage({ user }: { user: Schemas["User"] }) {
  const words = appText.settings;
  const [open, setOpen] = useState<keyof typeof DIALOGS>();
  const Opened = open && DIALOGS[open];
  const action = (dialog: keyof typeof DIALOGS, danger?: true) => (
    <li>
      <button
        aria-haspopup="dialog"
        className={styles.row}
        data-danger={danger}
        onClick={() => setOpen(dialog)}
        type="button"
      >
        <Row more={words[dialog].more} name={words[dialog].name} />
      </button>
    </li>
  );

  return (
    <div className={styles.page}>
      <h1>{words.title}</h1>
      <section aria-label={words.account} className={styles.account}>
        <EmojiDisc className={styles.emoji} emoji="🎭" size="l" />
        <div className={styles.who}>
          <p className={styles.label}>{words.signedInAs}</p>
          <p className={styles.name}>{user.username}</p>
          <p className="one-line" title={user.email}>
            {user.email}
          </p>
          {user.email_confirmed === false && <UnconfirmedAddress />}
        </div>
      </section>
      <InboxSettings username={user.username} />
      <ul className={styles.list}>
        <YourPage />
      </ul>
      <ul className={styles.list}>
        <li>
          <Link className={styles.row} to={paths.privacy}>
            <Row more={words.privacyMore} name={text.footer.privacy} />
          </Link>
        </li>
        {action("away")}
        {action("signIns")}
        {action("changePassword")}
        {action("logOut")}
        {action("deleteAccount", true)}
      </ul>
      <section aria-label={words.look} className="row">
        <LanguageSwitch />
        <ThemeSwitch />
      </section>
      <details>
        <summary className={styles.advanced}>{words.advanced}</summary>
        <ul className={styles.list}>{action("renewLink")}</ul>
      </details>
      <Suspense>{Opened && <Opened onClose={() => setOpen(undefined)} />}</Suspense>
    </div>
  );
}

/** Shown under an address that is not confirmed yet: one can't sign in with it. */
function UnconfirmedAddress() {
  const words = appText.settings.unconfirmed;
  const { busy, failure, closeFailure, onSubmit } = useSubmission(sendAgain);

  async function sendAgain() {
    showNotice(translated(await api("post", "/api/user/send-confirmation", { token: token() ?? "" })));
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
