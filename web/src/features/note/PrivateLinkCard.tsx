import { lazy, Suspense, useState } from "react";
import { copyAndTell } from "@/shared/clipboard";
import { forgetConversation, keptConversation, rememberConversation } from "@/shared/conversations/kept";
import { conversationLink, shareLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import { conversationText } from "@/shared/text/conversationText";
import { Button } from "@/shared/ui/Button";
import { Icon } from "@/shared/ui/icons";
import styles from "./PrivateLinkCard.module.css";

const QrDialog = lazy(async () => ({ default: (await import("@/shared/ui/overlay/QrDialog")).QrDialog }));

type Props = { id: string; secret: string; to: string };

/** The private link of a conversation that has just begun. Without it, nobody finds the answer. */
export function PrivateLinkCard({ id, secret, to }: Props) {
  const words = conversationText.link;
  const [isKept, setKept] = useState(() => keptConversation(id) !== undefined);
  const [qr, setQr] = useState(false);
  const link = conversationLink(id, secret);

  function toggle() {
    if (isKept) forgetConversation(id);
    else rememberConversation({ id, secret, to, since: Date.now() });
    setKept(!isKept);
  }

  return (
    <section aria-labelledby="private-link" className={styles.card} data-on-sticker data-tone="mint">
      <h2 className={styles.heading} id="private-link">
        {words.heading}
      </h2>
      <p>{words.body}</p>
      <p className={styles.link}>
        <a href={link}>
          <bdi dir="ltr">{link.replace(/^https?:\/\//, "")}</bdi>
        </a>
      </p>
      <div className={styles.actions}>
        <Button kind="hot" onClick={() => void copyAndTell(link, words.copied)}>
          <Icon name="copy" /> {words.copy}
        </Button>
        {typeof navigator.share === "function" && (
          <Button onClick={() => void shareLink({ url: link })}>
            <Icon name="share" /> {words.share}
          </Button>
        )}
        <Button aria-haspopup="dialog" onClick={() => setQr(true)}>
          <Icon name="qr" /> {appText.qr.open}
        </Button>
      </div>
      <div className={styles.actions}>
        <Button onClick={toggle}>{isKept ? words.forget : words.remember}</Button>
        <p aria-live="polite">{isKept && words.remembered}</p>
      </div>
      <Suspense>
        {qr && (
          <QrDialog {...words.qr} fileName="annon-conversation" link={link} onClose={() => setQr(false)} />
        )}
      </Suspense>
    </section>
  );
}
