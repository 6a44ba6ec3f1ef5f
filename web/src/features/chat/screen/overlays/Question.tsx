import { chatText } from "@/shared/text/chatText";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { useRoom, useScreen } from "../chatContext";

/** Asks before something is done with the group. */
export function Question() {
  const { actions, screen } = useRoom();
  const asking = useScreen((state) => state.asking);
  if (!asking) return null;
  const words = chatText.screen[asking];
  const act = { lock: () => actions.lock(true), close: actions.close, leave: actions.leave }[asking];
  return (
    <ConfirmDialog
      {...words}
      kind={asking === "lock" ? "hot" : "danger"}
      onClose={() => screen.setState({ asking: undefined })}
      onConfirm={act}
    />
  );
}
