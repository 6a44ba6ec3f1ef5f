import { useEffect, useEffectEvent, useState } from "react";
import { showError, showNotice } from "@/shared/notices";
import { type Drawn, drawCode, drawKey, setSeal } from "@/shared/sealing/ownKey";
import { UnlockDialog } from "@/shared/sealing/screen/UnlockDialog";
import { learnSeal, useOwnSeal } from "@/shared/session/ownSeal";
import { tellFailure } from "@/shared/session/tellFailure";
import { unansweredText } from "@/shared/text/failureText";
import { sealedInboxText } from "@/shared/text/sealedInboxText";
import { text } from "@/shared/text/text";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { Skeleton } from "@/shared/ui/Skeleton";
import { HandoverDialog } from "./HandoverDialog";
import { NewCode } from "./NewCode";
import { Offer } from "./Offer";
import { SealSettings } from "./SealSettings";

/** What the owner does: each is a dialog of its own, which leads back. */
export type Step = "unlock" | "handover" | "newCode" | "newKey" | "off";

/** Why a recovery code is shown. Its sentences have the same names. */
type Purpose = "begin" | "newCode" | "newKey";

type Props = { username: string; onClose: () => void };

/** How the owner's inbox is sealed, and what they can change of it. */
export function SealDialog({ username, onClose }: Props) {
  const words = sealedInboxText;
  const seal = useOwnSeal((own) => (own.username === username ? own.seal : undefined));
  const [step, setStep] = useState<Step>();
  const [last, setLast] = useState<Step>();
  const [fresh, setFresh] = useState<{ drawn: Drawn; purpose: Purpose; openNotes: boolean }>();
  const back = () => setStep(undefined);

  function go(to: Step) {
    setStep(to);
    setLast(to);
  }

  const load = useEffectEvent(async () => {
    await learnSeal(username);
    if (useOwnSeal.getState().seal !== undefined) return;
    showError(unansweredText());
    onClose();
  });
  useEffect(() => void load(), []);

  async function begin(purpose: Purpose, openNotes: boolean) {
    const drawn = purpose === "newCode" ? await drawCode(username, seal?.key ?? "") : await drawKey();
    if (drawn) setFresh({ drawn, purpose, openNotes });
  }

  async function change(json: { on?: boolean; open_notes?: boolean }, said: string) {
    try {
      await setSeal(username, json);
      showNotice(said);
    } catch (failure) {
      tellFailure(failure);
    }
  }

  if (fresh)
    return (
      <NewCode
        {...fresh}
        done={{ begin: words.begun, newCode: words.newCode.done, newKey: words.newKey.done }[fresh.purpose]}
        onClose={() => setFresh(undefined)}
        username={username}
      />
    );
  if (step === "unlock") return <UnlockDialog onClose={back} username={username} />;
  if (step === "handover") return <HandoverDialog onClose={back} username={username} />;
  if (step === "off")
    return (
      <ConfirmDialog {...words.off} onClose={back} onConfirm={() => change({ on: false }, words.off.done)} />
    );
  if (step)
    return (
      <ConfirmDialog
        {...words[step]}
        kind={step === "newKey" ? "danger" : "hot"}
        onClose={back}
        onConfirm={() => begin(step, seal?.open_notes ?? false)}
      />
    );
  return (
    <Dialog key="overview" onClose={onClose} title={seal?.on ? words.about.heading : words.about.offer}>
      {seal === undefined && <Skeleton label={text.loading} row="m" />}
      {seal === null && <Offer onBegin={(openNotes) => begin("begin", openNotes)} />}
      {seal && <SealSettings change={change} last={last} onStep={go} seal={seal} username={username} />}
    </Dialog>
  );
}
