import { lazy, Suspense, useId, useState } from "react";
import { copyAndTell } from "@/shared/clipboard";
import { handOn, personalLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { IconButton } from "@/shared/ui/IconButton";
import { Icon } from "@/shared/ui/icons";
import styles from "./cards.module.css";

const QrDialog = lazy(async () => ({ default: (await import("@/shared/ui/overlay/QrDialog")).QrDialog }));

type Props = {
  username: string;
  /** It is one row until it is opened, so that what follows begins at once. */
  folds?: boolean;
};

export function LinkCard({ username, folds }: Props) {
  const words = appText.home.link;
  const [qr, setQr] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const whole = useId();
  const link = personalLink(username);
  const address = (
    <bdi dir="ltr">
      <span>{window.location.host}/</span>
      <b>{username}</b>
    </bdi>
  );
  return (
    <section
      aria-labelledby="link-card"
      className={styles.card}
      data-folded={folds ? !isOpen : undefined}
      data-tone="sun"
    >
      {folds && (
        <div className={styles.row}>
          <button
            aria-controls={whole}
            aria-expanded={isOpen}
            className={styles.toggle}
            onClick={() => setOpen(!isOpen)}
            type="button"
          >
            {address}
            <Icon name="down" size={16} />
          </button>
          {!isOpen && <HandOut link={link} />}
        </div>
      )}
      <div className={styles.whole} id={whole}>
        <h2 className={styles.title} id="link-card">
          {words.title}
        </h2>
        <p>{words.body}</p>
        <p className={styles.address}>{address}</p>
        <div className={styles.actions}>
          <Button kind="hot" onClick={() => copyAndTell(link, words.copied)}>
            <Icon name="copy" /> {words.copy}
          </Button>
          <Button aria-haspopup="dialog" onClick={() => setQr(true)}>
            <Icon name="qr" /> {appText.qr.open}
          </Button>
        </div>
      </div>
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

/** The system's share sheet, which copies as well; a browser that has none copies. */
function HandOut({ link }: { link: string }) {
  const { link: words, share } = appText.home;
  return typeof navigator.share === "function" ? (
    <IconButton
      icon="share"
      label={share.title}
      onClick={() => void handOn({ text: share.words, url: link })}
    />
  ) : (
    <IconButton icon="copy" label={words.copy} onClick={() => copyAndTell(link, words.copied)} />
  );
}
