import { useLayoutEffect, useRef } from "react";
import { chatText } from "@/shared/text/chatText";
import styles from "./EmojiPanel.module.css";
import { EmojiPicker } from "./EmojiPicker";
import { composer, typeInto } from "./reply";

/** Emoji to insert at the caret. After a click the panel stays open for more; after a key it closes. */
export function EmojiPanel({ onClose }: { onClose: () => void }) {
  const panel = useRef<HTMLDivElement>(null);

  // A layout effect: from its first moment on screen the panel can be closed.
  useLayoutEffect(() => {
    /** The message box and the emoji button count as parts of the panel. */
    function isBeside({ target }: Event): boolean {
      const at = target instanceof Element ? target : null;
      return !panel.current?.contains(at) && !at?.closest("[data-composer], [data-emoji-button]");
    }
    function leave(event: Event) {
      if (isBeside(event)) onClose();
    }
    function press(event: globalThis.KeyboardEvent) {
      if (event.key !== "Escape" || event.isComposing || isBeside(event)) return;
      event.stopPropagation();
      event.preventDefault();
      onClose();
      composer()?.focus({ preventScroll: true });
    }
    const open = new AbortController();
    const { signal } = open;
    document.addEventListener("pointerdown", leave, { capture: true, signal });
    document.addEventListener("focusin", leave, { signal });
    document.addEventListener("keydown", press, { capture: true, signal });
    return () => open.abort();
  }, [onClose]);

  function choose(sign: string, isLast: boolean) {
    const field = composer();
    if (field instanceof HTMLTextAreaElement) typeInto(field, sign);
    if (isLast) onClose();
  }

  return (
    <div aria-label={chatText.screen.emoji.title} className={styles.panel} ref={panel} role="dialog">
      <EmojiPicker onChoose={choose} />
    </div>
  );
}
