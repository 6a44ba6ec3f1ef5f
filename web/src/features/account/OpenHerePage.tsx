import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isRefusedWith, isSignedOut } from "@/shared/api/client";
import { paths } from "@/shared/contract/pages";
import { takeKey } from "@/shared/sealing/ownKey";
import { UnlockDialog } from "@/shared/sealing/screen/UnlockDialog";
import { learnSeal, useOwnSeal } from "@/shared/session/ownSeal";
import { signInAgain } from "@/shared/session/signInAgain";
import { failureText } from "@/shared/text/failureText";
import { sealedInboxText } from "@/shared/text/sealedInboxText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { TagForm } from "@/shared/ui/form/Form";
import form from "@/shared/ui/form/form.module.css";
import { ButtonLink } from "@/shared/ui/links";

/** What came of the key that another device has left: it is on its way, is here, or why it isn't. */
type Outcome = "taking" | "done" | { why: string };

/** Takes the key of the inbox that another device of its owner has left. `once` is what its QR code has. */
export function OpenHerePage({ username, once }: { username: string; once: string }) {
  const words = sealedInboxText.open;
  const [outcome, setOutcome] = useState<Outcome>(once === "" ? { why: words.keyless } : "taking");
  const [isUnlocking, setUnlocking] = useState(false);
  const isHere = useOwnSeal(({ here }) => here === "yes");

  // It is given once.
  const hasAsked = useRef(once === "");

  const take = useEffectEvent(async () => {
    if (hasAsked.current) return;
    hasAsked.current = true;
    try {
      setOutcome((await takeKey(username, once)) ? "done" : { why: words.wrong });
    } catch (failure) {
      if (isSignedOut(failure)) return signInAgain(failure);
      const isGone = isRefusedWith(failure, "no_handover") || isRefusedWith(failure, "no_seal");
      setOutcome({ why: isGone ? words.gone : failureText(failure) });
    }
  });
  useEffect(() => void take(), []);
  useEffect(() => void learnSeal(username), [username]);

  const isDone = outcome === "done" || isHere;
  const said = isDone ? words.done(username) : outcome === "taking" ? words.taking : outcome.why;
  return (
    <TagForm tone="mint" words={words}>
      <p role="status">{said}</p>
      <p className="soft">{words.who(username)}</p>
      <div className={form.submit}>
        {isDone && (
          <ButtonLink kind="hot" to={`${paths.home}?tab=inbox`}>
            {text.actions.toInbox}
          </ButtonLink>
        )}
        {!isDone && outcome !== "taking" && (
          <Button kind="hot" onClick={() => setUnlocking(true)}>
            {words.byCode}
          </Button>
        )}
      </div>
      {isUnlocking && <UnlockDialog onClose={() => setUnlocking(false)} username={username} />}
    </TagForm>
  );
}
