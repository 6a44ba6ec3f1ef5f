import { lazy, Suspense, useState } from "react";
import { copyAndTell } from "@/shared/clipboard";
import { shareLink } from "@/shared/links";
import { ownLink, useOwnLink } from "@/shared/session/ownSeal";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { IconButton } from "@/shared/ui/IconButton";
import { Icon } from "@/shared/ui/icons";
import styles from "./cards.module.css";

const QrDialog = lazy(async () => ({ default: (await import("@/shared/ui/overlay/QrDialog")).QrDialog }));

/** Gives the personal link to the system's share sheet. */
export const shareOwnLink = async (username: string) =>
  shareLink({ text: appText.home.share.words, url: await ownLink(username) });

type Props = {
  username: string;
  /** The card is only one row high until it is opened, so that the inbox below is higher on the page. */
  folds?: boolean;
};

export function LinkCard({ username, folds }: Props) {
  const { link: words, share } = appText.home;
  const [qr, setQr] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const link = useOwnLink(username);
  // The system's share sheet copies as well.
  const shares = typeof navigator.share === "function";
  const copy = () => copyAndTell(ownLink(username), words.copied);
  const address = (
    <bdi dir="ltr">
      <span>{window.location.host}/</span>
      <b>{username}</b>
    </bdi>
  );
  return (
    <section
      aria-label={words.title}
      className={styles.card}
      data-folded={folds ? !isOpen : undefined}
      data-tone="sun"
    >
      {folds && (
        <div className={styles.row}>
          <button
            aria-expanded={isOpen}
            className={styles.toggle}
            onClick={() => setOpen(!isOpen)}
            type="button"
          >
            {address}
            <Icon name="down" size={16} />
          </button>
          {!isOpen && (
            <IconButton
              icon={shares ? "share" : "copy"}
              label={shares ? share.title : words.copy}
              words={shares ? share.title : words.copy}
              onClick={() => void (shares ? shareOwnLink(username) : copy())}
            />
          )}
        </div>
      )}
      {(isOpen || !folds) && (
        <>
          <h2 className={styles.title}>{words.title}</h2>
          <p>{words.body}</p>
          {!folds && <p className={styles.address}>{address}</p>}
          <div className={styles.actions}>
            <Button kind="hot" onClick={copy}>
              <Icon name="copy" /> {words.copy}
            </Button>
            <Button aria-haspopup="dialog" onClick={() => setQr(true)}>
              <Icon name="qr" /> {appText.qr.open}
            </Button>
          </div>
        </>
      )}
      <Suspense>
        {qr && (
          <QrDialog
            {...appText.qr.own}
            fileName={`annon-${username}`}
            link={link}
            onClose={() => setQr(false)}
          />
        )}
      </Suspense>
    </section>
  );
}
