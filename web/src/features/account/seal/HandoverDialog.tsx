import { lazy, Suspense, useEffect, useEffectEvent, useState } from "react";
import { HANDOVER_KEPT_SECONDS } from "@/shared/contract/limits";
import { paths } from "@/shared/contract/pages";
import { leaveKey } from "@/shared/sealing/ownKey";
import { tellFailure } from "@/shared/session/tellFailure";
import { sealedInboxText } from "@/shared/text/sealedInboxText";
import { text } from "@/shared/text/text";
import { timeLeft } from "@/shared/text/timeLeft";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { Skeleton } from "@/shared/ui/Skeleton";
import { useTimeLeft } from "@/shared/ui/useTimeLeft";

/** The drawing code is in a file that other pages load, too. */
const QrCode = lazy(async () => ({ default: (await import("@/shared/ui/overlay/QrDialog")).QrCode }));

type Props = { username: string; onClose: () => void };

/** Shows a QR code by which another device of the owner takes the key. */
export function HandoverDialog({ username, onClose }: Props) {
  const words = sealedInboxText.handover;
  const [left, setLeft] = useState<{ once: string; until: number }>();

  const leave = useEffectEvent(async () => {
    try {
      const once = await leaveKey(username);
      if (once === undefined) return onClose();
      setLeft({ once, until: Date.now() + HANDOVER_KEPT_SECONDS * 1000 });
    } catch (failure) {
      tellFailure(failure);
      onClose();
    }
  });
  useEffect(() => void leave(), []);

  return (
    <Dialog body={words.body} onClose={onClose} title={words.title}>
      {left ? (
        <Code {...left} key={left.once} onAgain={() => void leave()} />
      ) : (
        <Skeleton label={text.loading} row="m" />
      )}
    </Dialog>
  );
}

function Code({ once, until, onAgain }: { once: string; until: number; onAgain: () => void }) {
  const words = sealedInboxText.handover;
  const left = useTimeLeft(until);
  if (left === 0)
    return (
      <>
        <p role="status">{words.over}</p>
        <p>
          <Button kind="hot" onClick={onAgain}>
            {words.again}
          </Button>
        </p>
      </>
    );
  return (
    <>
      <Suspense fallback={<Skeleton label={text.loading} row="m" />}>
        <QrCode label={words.alt} link={`${window.location.origin}${paths.open}#${once}`} />
      </Suspense>
      <p className="soft">{timeLeft(left)}</p>
    </>
  );
}
