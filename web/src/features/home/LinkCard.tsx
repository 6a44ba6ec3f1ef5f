import { lazy, Suspense, useState } from "react";
import { copyAndTell } from "@/shared/copyAndTell";
import { personalLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { Icon } from "@/shared/ui/icons";
import styles from "./cards.module.css";

const QrDialog = lazy(async () => ({ default: (await import("@/shared/ui/QrDialog")).QrDialog }));

/** The personal inbox link, ready to be handed out. */
export function LinkCard({ username }: { username: string }) {
  const words = appText.home.link;
  const [qr, setQr] = useState(false);
  const link = personalLink(username);
  return (
    <section aria-labelledby="link-card" className={styles.card} data-tone="sun">
      <h2 className={styles.title} id="link-card">
        {words.title}
      </h2>
      <p>{words.body}</p>
      <p className={styles.address} dir="ltr">
        {window.location.host}/<b>{username}</b>
      </p>
      <div className={styles.actions}>
        <Button kind="hot" onClick={() => copyAndTell(link, words.copied)}>
          <Icon name="copy" /> {words.copy}
        </Button>
        <Button aria-haspopup="dialog" onClick={() => setQr(true)}>
          <Icon name="qr" /> {appText.qr.open}
        </Button>
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
