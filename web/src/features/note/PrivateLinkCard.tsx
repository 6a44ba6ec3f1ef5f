import { lazy, Suspense, useState } from "react";
import { copyText } from "@/shared/clipboard";
import { forgetConversations, keptConversation, rememberConversation } from "@/shared/conversations/kept";
import { conversationLink, shareLink } from "@/shared/links";
import { showError, showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { conversationText } from "@/shared/text/conversationText";
import { Button } from "@/shared/ui/Button";
import { Icon } from "@/shared/ui/icons";
import { LeavingLink } from "./LeavingLink";
import styles from "./PrivateLinkCard.module.css";
import { isLinkSafe, markLinkSafe } from "./privateLink";

const QrDialog = lazy(async () => ({ default: (await import("@/shared/ui/overlay/QrDialog")).QrDialog }));

const AwayOffer = lazy(async () => {
  const [{ AwayOffer }, { ofConversation }] = await Promise.all([
    import("@/shared/away/AwayOffer"),
    import("@/shared/away/whose"),
  ]);
  type Offer = { id: string; secret: string; onBegin: () => void };
  return {
    default: ({ id, secret, onBegin }: Offer) => {
      const [away] = useState(() => ofConversation(id, secret, onBegin));
      return <AwayOffer away={away} of="answer" />;
    },
  };
});

type Props = { id: string; secret: string; to: string; isSealed?: boolean };

/** The private link of a conversation that has just begun. Without it, nobody finds the answer. */
export function PrivateLinkCard({ id, secret, to, isSealed = false }: Props) {
  const words = conversationText.link;
  const [isKept, setKept] = useState(() => keptConversation(id) !== undefined);
  const [isSafe, setSafe] = useState(() => isKept || isLinkSafe(id));
  const [qr, setQr] = useState(false);
  const link = conversationLink(id, secret);

  function safe() {
    markLinkSafe(id);
    setSafe(true);
  }

  function keep() {
    rememberConversation({ id, secret, to, since: Date.now(), ...(isSealed && { isSealed }) });
    setKept(true);
  }

  function remember() {
    keep();
    safe();
  }

  function forget() {
    forgetConversations(id);
    setKept(false);
  }

  /** Gives whether it is in the clipboard now. */
  async function copy(): Promise<boolean> {
    const isCopied = await copyText(link);
    if (isCopied) showNotice(words.copied);
    else showError(appText.notices.notCopied);
    return isCopied;
  }

  return (
    <section aria-labelledby="private-link" className={styles.card} data-on-sticker data-tone="mint">
      <h2 className={styles.heading} id="private-link">
        {words.heading}
      </h2>
      <p>{words.body}</p>
      <div className={styles.keep}>
        {!isKept && (
          <Button aria-describedby="private-link-kept" kind="hot" onClick={remember}>
            {words.remember}
          </Button>
        )}
        <p aria-live="polite" id="private-link-kept">
          {isKept ? words.remembered : words.rememberMore}
        </p>
        {isKept && (
          <Button onClick={forget} size="s">
            {words.forget}
          </Button>
        )}
      </div>
      <Suspense>
        <AwayOffer id={id} onBegin={remember} secret={secret} />
      </Suspense>
      <p className={styles.link}>
        <a href={link} onClick={safe}>
          <bdi dir="ltr">{link.replace(/^https?:\/\//, "")}</bdi>
        </a>
      </p>
      <div className={styles.actions}>
        <Button onClick={() => void copy().then((isCopied) => isCopied && safe())}>
          <Icon name="copy" /> {words.copy}
        </Button>
        {typeof navigator.share === "function" && (
          <Button onClick={() => void shareLink({ url: link }).then(safe)}>
            <Icon name="share" /> {words.share}
          </Button>
        )}
        <Button aria-haspopup="dialog" onClick={() => setQr(true)}>
          <Icon name="qr" /> {appText.qr.open}
        </Button>
      </div>
      {!isSafe && <LeavingLink copy={copy} keep={keep} onLeave={safe} />}
      <Suspense>
        {qr && (
          <QrDialog {...words.qr} fileName="annon-conversation" link={link} onClose={() => setQr(false)} />
        )}
      </Suspense>
    </section>
  );
}
