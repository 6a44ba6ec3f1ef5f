import { useState } from "react";
import { AboutSeal } from "@/shared/sealing/screen/SealMark";
import { sealedInboxText } from "@/shared/text/sealedInboxText";
import { Button } from "@/shared/ui/Button";
import { Switch } from "@/shared/ui/form/Switch";
import dialog from "@/shared/ui/overlay/Dialog.module.css";

/** What an owner reads before they seal their inbox. */
export function Offer({ onBegin }: { onBegin: (openNotes: boolean) => Promise<void> }) {
  const { about, begin, openNotes } = sealedInboxText;
  const [takesOpen, setTakesOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  // Browsers have what is needed only on pages that came by TLS, or from the same device.
  const canSeal = globalThis.crypto?.subtle !== undefined;
  return (
    <>
      <AboutSeal about={about} />
      {canSeal ? (
        <>
          <Switch {...openNotes} isOn={takesOpen} onChange={setTakesOpen} />
          <div className={dialog.actions}>
            <Button
              busy={busy}
              kind="hot"
              onClick={() => {
                setBusy(true);
                void onBegin(takesOpen).finally(() => setBusy(false));
              }}
            >
              {begin}
            </Button>
          </div>
        </>
      ) : (
        <p>{about.needsHttps}</p>
      )}
    </>
  );
}
