import { useEffect, useEffectEvent, useState } from "react";
import { showError, showNotice } from "@/shared/notices";
import { deviceStorage } from "@/shared/storage";
import { pushText } from "@/shared/text/pushText";
import { Button } from "@/shared/ui/Button";
import styles from "./AwayDialog.module.css";
import type { Away } from "./away";
import { begin } from "./begin";
import { NotAllowed, obstacle, present } from "./subscription";

type Offered = keyof typeof pushText.offer.of;

const OFFERED = "annon.offered.";

/** Offers, once on this device, that it tells of something while no page is open. It stands where that makes sense. */
export function AwayOffer({ away, of }: { away: Away; of: Offered }) {
  const words = pushText.offer;
  /** The server's key, once it is known that there is something to offer. */
  const [key, setKey] = useState<string>();
  const [busy, setBusy] = useState(false);

  const look = useEffectEvent(async () => {
    if (obstacle() || deviceStorage.getItem(OFFERED + of) !== null || (await present())) return;
    setKey((await away.load()).data.key ?? undefined);
  });
  // An offer that can't be made is none.
  useEffect(() => void look().catch(() => {}), []);
  if (key === undefined) return null;

  function end() {
    deviceStorage.setItem(OFFERED + of, "1");
    setKey(undefined);
  }

  async function accept(to: string) {
    setBusy(true);
    try {
      await begin(away, to, [of], null);
      showNotice(pushText.begun);
    } catch (failure) {
      if (failure instanceof NotAllowed) showError(pushText.obstacles.blocked);
      else away.failed(failure);
    }
    end();
  }

  return (
    <section aria-label={words.of[of]} className={styles.offer}>
      <p>{words.of[of]}</p>
      <div className="row">
        <Button busy={busy} kind="hot" onClick={() => void accept(key)} size="s">
          {words.yes}
        </Button>
        <Button onClick={end} size="s">
          {words.no}
        </Button>
      </div>
    </section>
  );
}
