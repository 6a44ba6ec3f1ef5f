import { type PointerEvent, useState } from "react";
import { chatText } from "@/shared/text/chatText";
import type { Message } from "../../model/chat";
import { useChat, useRoom } from "../chatContext";
import { useCanReply } from "../composer/reply";
import { memberName } from "../named";
import { summaryOf, useReactions } from "../reactions";
import { AtHand } from "./AtHand";
import styles from "./Reactions.module.css";

/** How far the bar stays away from the list's edges. */
const EDGE_PX = 4;

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
export function HoverBar({ message, onPicture }: { message: Message; onPicture?: true }) {
  const canReply = useCanReply();
  if (!canReply(message)) return null;
  return (
    <div className={styles.bar} data-bar data-on-picture={onPicture} ref={placed}>
      <AtHand choose={(_, act) => act()} in="bar" label={chatText.screen.reactions.react} message={message} />
    </div>
  );
}

/**
 * The list cuts off what is outside of it. Without space above the message the bar is below it; without space there,
 * it is on the message, at the list's edge. At the end of a narrow list it moves back to where all of it is seen.
 */
function placed(bar: HTMLElement | null) {
  const list = bar?.closest("[role=log]")?.getBoundingClientRect();
  const message = bar?.parentElement?.getBoundingClientRect();
  if (!bar || !list || !message) return;
  const { top, right, height } = bar.getBoundingClientRect();
  bar.style.translate = `${Math.min(0, list.right - EDGE_PX - right)}px`;
  if (top >= list.top) return;
  const hasSpace = message.bottom + height <= list.bottom;
  bar.style.insetBlock = hasSpace ? "100% auto" : `${list.top - message.top + EDGE_PX}px auto`;
}
