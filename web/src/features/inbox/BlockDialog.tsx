import { showNotice } from "@/shared/notices";
import { shieldText } from "@/shared/text/shieldText";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";

/** Asks before whoever sent a note is blocked, and says what that does and what it doesn't. */
export function BlockDialog({ onBlock, onClose }: { onBlock: () => Promise<void>; onClose: () => void }) {
  const words = shieldText.block;
  return (
    <ConfirmDialog
      action={words.confirm}
      body={words.body}
      onClose={onClose}
      onConfirm={onBlock}
      onDone={() => showNotice(words.done)}
      title={words.title}
    />
  );
}
