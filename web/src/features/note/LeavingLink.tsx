import { useEffect, useState } from "react";
import { guardPage } from "@/shared/overlays";
import { conversationText } from "@/shared/text/conversationText";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import styles from "./PrivateLinkCard.module.css";

type Props = {
  keep: () => void;
  /** Gives whether it worked. */
  copy: () => Promise<boolean>;
  /** From now on nobody is asked about this link. */
  onLeave: () => void;
};

/**
 * Drawn as long as a private link is kept nowhere: asks before its page is left. Back inside the app isn't asked about,
 * since Forward leads to the link again.
 */
export function LeavingLink({ keep, copy, onLeave }: Props) {
  const words = conversationText.link;
  /** What leads away, while that is asked. */
  const [away, setAway] = useState<() => void>();

  useEffect(() => {
    // The browser asks in its own words.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    const end = guardPage((leave) => setAway(() => leave));
    return () => {
      window.removeEventListener("beforeunload", ask);
      end();
    };
  }, []);

  if (!away) return null;

  function leave() {
    onLeave();
    away?.();
  }

  return (
    <Dialog body={words.leaving.body} onClose={() => setAway(undefined)} title={words.leaving.title}>
      <div className={styles.leaving}>
        <Button
          data-first
          kind="hot"
          onClick={() => {
            keep();
            leave();
          }}
        >
          {words.remember}
        </Button>
        <Button onClick={() => void copy().then((isCopied) => isCopied && leave())}>{words.copy}</Button>
        <Button onClick={leave}>{words.leaving.leave}</Button>
      </div>
    </Dialog>
  );
}
