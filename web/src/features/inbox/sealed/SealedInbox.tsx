import { useEffect, useState } from "react";
import { SealMark } from "@/shared/sealing/screen/SealMark";
import { UnlockDialog } from "@/shared/sealing/screen/UnlockDialog";
import { useOwnSeal } from "@/shared/session/ownSeal";
import { sealedInboxText } from "@/shared/text/sealedInboxText";
import { Button } from "@/shared/ui/Button";
import styles from "./Sealed.module.css";

/** Beside the inbox's heading. */
export const InboxMark = () => <SealMark about={sealedInboxText.about} mark={sealedInboxText.mark} />;

type Props = {
  username: string;
  /** The id of what gets the focus when the notes are open, since the button is gone then. */
  elsewhere: string;
};

/** Above the notes of a sealed inbox whose key this device doesn't have. */
export function KeylessNotice({ username, elsewhere }: Props) {
  const words = sealedInboxText.keyless;
  const isOther = useOwnSeal(({ here }) => here === "other");
  const [isOpen, setOpen] = useState(false);
  useEffect(
    () => () => {
      if (document.activeElement === document.body) document.getElementById(elsewhere)?.focus();
    },
    [elsewhere],
  );
  return (
    <div className={styles.keyless}>
      <p>{isOther ? words.stale : words.body}</p>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)} size="s">
        {words.open}
      </Button>
      {isOpen && <UnlockDialog onClose={() => setOpen(false)} username={username} />}
    </div>
  );
}
