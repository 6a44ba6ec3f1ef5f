import { useState } from "react";
import { chatText } from "@/shared/text/chatText";
import { ConfirmDialog } from "@/shared/ui/ConfirmDialog";
import { useRoom, useScreen } from "./chatContext";
import { useLast } from "./useLast";

/** Asks before something is done with the group. */
export function Question() {
  const { actions, screen } = useRoom();
  const asking = useScreen((state) => state.asking);
  const about = useLast(asking) ?? "leave";
  const words = chatText.screen[about];
  const [busy, setBusy] = useState(false);
  const act = { lock: () => actions.lock(true), close: actions.close, leave: actions.leave }[about];
  const close = () => screen.setState({ asking: undefined });

  async function confirm() {
    setBusy(true);
    await act();
    setBusy(false);
    close();
  }

  return (
    <ConfirmDialog
      action={words.action}
      busy={busy}
      description={words.body}
      kind={about === "lock" ? "hot" : "danger"}
      onConfirm={() => void confirm()}
      onOpenChange={close}
      open={asking !== undefined}
      title={words.title}
    />
  );
}
