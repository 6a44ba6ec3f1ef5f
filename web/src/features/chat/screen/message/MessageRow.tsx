import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { Button } from "@/shared/ui/Button";
import { IconButton } from "@/shared/ui/IconButton";
import type { Message } from "../../model/chat";
import { useRoom } from "../chatContext";
import { memberName } from "../named";
import { Bubble } from "./Bubble";
import styles from "./MessageRow.module.css";
import { HoverBar, Reactions, useMouseOver } from "./Reactions";
import { hasMenu, useMessageMenu, useMessageState } from "./useMessageMenu";

/** A message with its sender's emoji at the corner, and the button that opens its menu. */
export function MessageRow({ message, first, last }: { message: Message; first: boolean; last: boolean }) {
  const words = chatText.screen;
  const { openAt } = useMessageMenu();
  const { highlighted, chosen } = useMessageState(message);
  const { isOver, over } = useMouseOver();
  const name = message.mine ? words.you : memberName(message.sender);

  return (
    <article
      {...over}
      className={styles.row}
      data-chosen={chosen || undefined}
      data-first={first || undefined}
      data-last={last || undefined}
      data-highlighted={highlighted || undefined}
      data-mine={message.mine || undefined}
      data-row={message.key}
      tabIndex={-1}
    >
      <span className="visually-hidden">{name}: </span>
      {message.doubt && !message.retracted && <p className={styles.doubt}>{message.doubt}</p>}
      <div className={styles.slip}>
        <Bubble message={message} />
        <Reactions message={message} />
        {isOver && <HoverBar message={message} />}
        {hasMenu(message) && (
          <span className={styles.more}>
            <IconButton
              aria-haspopup="menu"
              icon="more"
              label={appText.more}
              onClick={openAt}
              tabIndex={-1}
            />
          </span>
        )}
      </div>
      {message.delivery.state === "failed" && <Failure message={message} why={message.delivery.why} />}
    </article>
  );
}

/** Why a message was not sent, with buttons to try again and to drop it. */
function Failure({ message, why }: { message: Message; why: string }) {
  const words = chatText.screen.message;
  const { actions } = useRoom();

  function button(label: string, act: (message: Message) => void) {
    function press({ currentTarget }: React.MouseEvent<HTMLElement>) {
      // The button disappears, and the focus must not be lost.
      currentTarget.closest<HTMLElement>("[role=log]")?.focus({ preventScroll: true });
      act(message);
    }
    return (
      <Button onClick={press} size="s">
        {label}
      </Button>
    );
  }

  return (
    <div className={styles.failure}>
      <p className={styles.why}>
        {words.failed}
        {why !== "" && `: ${why}`}
      </p>
      {button(words.retry, actions.retry)}
      {button(words.dismiss, actions.dismiss)}
    </div>
  );
}
