import { Menu } from "@base-ui/react/menu";
import { copyText } from "@/shared/clipboard";
import { complain, tell } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import { UNSEND_WITHIN_SECONDS } from "@/shared/wire/limits";
import type { Message } from "../chat";
import { useRoom, useScreen } from "./chatContext";
import styles from "./Menu.module.css";
import { momentOf } from "./moment";
import { canReply, composer, useReply } from "./reply";
import { messageOf } from "./rows";
import { useLast } from "./useLast";

/** What can be done with a message. There is one menu for all of them; it opens where it was asked for. */
export function MessageMenu() {
  const words = chatText.screen.message;
  const { store, actions, screen } = useRoom();
  const reply = useReply();
  const opened = useScreen((state) => state.menu);
  const place = useLast(opened);
  const message = messageOf(store.getState(), place?.key);
  if (!place || !message) return null;
  const failed = message.delivery.state === "failed";

  function close() {
    screen.setState({ menu: undefined });
  }

  /** Back to the line, or to where the answer is written. */
  function focusAfter() {
    return screen.getState().replyTo?.key === place?.key ? composer() : (place?.from ?? null);
  }

  return (
    <Menu.Root onOpenChange={(open) => !open && close()} open={opened !== undefined}>
      <Menu.Portal container={document.getElementById("main")}>
        <Menu.Positioner align="start" anchor={anchorAt(place.x, place.y)} className={styles.positioner}>
          <Menu.Popup aria-label={words.actions} className={styles.popup} finalFocus={focusAfter}>
            {canReply(message) && (
              <Menu.Item className={styles.item} onClick={() => reply(message)}>
                {words.reply}
              </Menu.Item>
            )}
            {message.words !== "" && (
              <Menu.Item className={styles.item} onClick={() => void copy(message)}>
                {words.copy}
              </Menu.Item>
            )}
            {canUnsend(message) && (
              <Menu.Item className={styles.item} data-kind="danger" onClick={() => actions.unsend(message)}>
                {words.unsend}
              </Menu.Item>
            )}
            {failed && (
              <Menu.Item className={styles.item} onClick={() => actions.retry(message)}>
                {words.retry}
              </Menu.Item>
            )}
            {failed && (
              <Menu.Item className={styles.item} onClick={() => actions.dismiss(message)}>
                {words.dismiss}
              </Menu.Item>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function anchorAt(x: number, y: number) {
  return { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
}

async function copy({ words }: Message) {
  if (await copyText(words)) tell(chatText.screen.message.copied);
  else complain(chatText.screen.message.notCopied);
}

/** One's own, for five minutes. */
export function canUnsend({ mine, delivery, unsent, time }: Message, now = Date.now()): boolean {
  return (
    mine && !unsent && delivery.state === "sent" && now - momentOf(time, now) < UNSEND_WITHIN_SECONDS * 1000
  );
}
