import { type ComponentType, useState } from "react";
import { showError } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import { IconButton } from "@/shared/ui/IconButton";
import buttons from "@/shared/ui/IconButton.module.css";
import styles from "./Composer.module.css";

export function EmojiButton() {
  const [Panel, setPanel] = useState<ComponentType<{ onClose: () => void }>>();
  const close = () => setPanel(undefined);

  async function toggle() {
    if (Panel) return close();
    try {
      const { EmojiPanel } = await import("./EmojiPanel");
      setPanel(() => EmojiPanel);
    } catch {
      showError(chatText.screen.notLoaded);
    }
  }

  return (
    <>
      <IconButton
        aria-expanded={Panel !== undefined}
        aria-haspopup="dialog"
        className={`${styles.emoji} ${buttons.button}`}
        data-emoji-button
        icon="smile"
        label={chatText.screen.composer.emoji}
        onClick={toggle}
      />
      {Panel && <Panel onClose={close} />}
    </>
  );
}
