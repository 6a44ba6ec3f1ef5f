import { type ComponentType, useEffect, useState } from "react";
import { showError } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { useChat, useRoom } from "../chatContext";
import { useCanReply } from "../composer/reply";
import { messageOf } from "../log/rows";
import styles from "./ReactionPicker.module.css";

type Picker = ComponentType<{ onChoose: (sign: string) => void }>;

/** All reactions, to choose one for a message. The emoji and their names are fetched when they are needed. */
export function ReactionPicker({ messageKey, onClose }: { messageKey: string; onClose: () => void }) {
  const { actions } = useRoom();
  const message = useChat((chat) => messageOf(chat, messageKey));
  const [Picker, setPicker] = useState<Picker>();
  const isGone = !useCanReply()(message);

  useEffect(() => {
    if (isGone) return onClose();
    import("../composer/EmojiPicker").then(
      ({ EmojiPicker }) => setPicker(() => EmojiPicker),
      () => {
        showError(chatText.screen.notLoaded);
        onClose();
      },
    );
  }, [isGone, onClose]);

  return (
    <Dialog onClose={onClose} title={chatText.screen.reactions.react}>
      <div className={styles.picker}>
        {Picker && message && (
          <Picker
            onChoose={(sign) => {
              onClose();
              actions.react(message, sign);
            }}
          />
        )}
      </div>
    </Dialog>
  );
}
