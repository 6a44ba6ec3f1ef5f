import { lazy, type ReactNode, Suspense, useState } from "react";
import { sealedInboxText } from "@/shared/text/sealedInboxText";
import { sealedTalkText } from "@/shared/text/sealedTalkText";
import { Button } from "@/shared/ui/Button";
import type { Locked } from "./openTalk";

const UnlockDialog = lazy(async () => ({
  default: (await import("@/shared/sealing/screen/UnlockDialog")).UnlockDialog,
}));

type Props = {
  why: Locked | "open";
  /** The owner of the inbox. */
  to: string;
  /** The dialog was closed: this device may have the key now. */
  onClose: () => void;
  /** Draws the page. */
  children: (words: { heading: string; body: string }, more: ReactNode) => ReactNode;
};

/** Says why a sealed conversation can't be opened here. The owner's recovery code opens it. */
export function LockedTalk({ why, to, onClose, children }: Props) {
  const [isAsking, setAsking] = useState(false);
  const words = sealedTalkText.locked[why];
  if (why !== "keyless") return children(words, null);

  function close() {
    setAsking(false);
    onClose();
  }

  return children(
    words,
    <>
      <Button aria-haspopup="dialog" kind="hot" onClick={() => setAsking(true)}>
        {sealedInboxText.settings.rows.unlock.name}
      </Button>
      <Suspense>{isAsking && <UnlockDialog onClose={close} username={to} />}</Suspense>
    </>,
  );
}
