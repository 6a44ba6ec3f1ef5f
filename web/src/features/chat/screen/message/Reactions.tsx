import { type PointerEvent, useState } from "react";
import { chatText } from "@/shared/text/chatText";
import type { Message } from "../../model/chat";
import { useChat, useRoom } from "../chatContext";
import { canReply } from "../composer/reply";
import { memberName } from "../named";
import { summaryOf, useReactions } from "../reactions";
import { AtHand } from "./AtHand";
import styles from "./Reactions.module.css";

/**
 * The reactions to a message. A screen reader hears one sentence; its user reacts by the message's menu, like anybody
 * with a keyboard.
 */
export function Reactions({ message, onPicture }: { message: Message; onPicture?: true }) {
  const { actions } = useRoom();
  const me = useChat((chat) => chat.me);
  const reactions = useReactions(message);
  // Those that were there when the row was drawn first are not animated.
  const [old] = useState(() => new Set(reactions.map(({ sign }) => sign)));
  if (message.retracted || reactions.length === 0) return null;

  return (
    <>
      <p className="visually-hidden">{summaryOf(reactions)}</p>
      <div aria-hidden="true" className={styles.chips} data-on-picture={onPicture}>
        {reactions.map(({ sign, from }) => (
          <button
            aria-pressed={from.includes(me)}
            className={styles.chip}
            data-fresh={!old.has(sign) || undefined}
            data-reaction={sign}
            key={sign}
            onClick={() => actions.react(message, sign)}
            tabIndex={-1}
            title={from.map((emoji) => `${emoji} ${memberName(emoji)}`).join("\n")}
            type="button"
          >
            <span className={styles.sign}>{sign}</span>
            {from.length}
          </button>
        ))}
      </div>
    </>
  );
}

/** Whether the mouse is over a row. */
export function useMouseOver() {
  const [isOver, setOver] = useState(false);
  const over = {
    onPointerEnter: ({ pointerType }: PointerEvent) => setOver(pointerType === "mouse"),
    onPointerLeave: () => setOver(false),
  };
  return { isOver, over };
}

/** The reactions at hand, for a message over which the mouse is. They are visible when it rests there. */
export function HoverBar({ message }: { message: Message }) {
  if (!canReply(message)) return null;
  return (
    <div className={styles.bar}>
      <AtHand choose={(_, act) => act()} in="bar" label={chatText.screen.reactions.react} message={message} />
    </div>
  );
}
