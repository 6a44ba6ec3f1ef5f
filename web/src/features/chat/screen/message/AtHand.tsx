import type { KeyboardEvent, MouseEvent } from "react";
import { SIGNS_AT_HAND } from "@/shared/contract/signsAtHand";
import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import { ACROSS, rove } from "@/shared/ui/rove";
import type { Message } from "../../model/chat";
import { useChat, useRoom } from "../chatContext";
import { signName, useReactions } from "../reactions";
import styles from "./AtHand.module.css";

type Props = {
  message: Message;
  in: "menu" | "bar";
  label: string;
  /** Has to do what was chosen. */
  choose: (event: MouseEvent, act: () => void) => void;
};

/** The reactions that are at hand, and a button for all others: a bar of its own, or items of the message's menu. */
export function AtHand({ message, in: place, label, choose }: Props) {
  const words = chatText.screen.reactions;
  const { actions, screen } = useRoom();
  const me = useChat((chat) => chat.me);
  const reactions = useReactions(message);
  const inMenu = place === "menu";

  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing is filled in
    <div
      aria-label={label}
      className={styles.hand}
      data-in={place}
      onKeyDown={inMenu ? walk : undefined}
      role="group"
    >
      {SIGNS_AT_HAND.map((sign) => {
        const on = reactions.some((reaction) => reaction.sign === sign && reaction.from.includes(me));
        return (
          <button
            aria-label={signName(sign)}
            className={styles.sign}
            key={sign}
            onClick={(event) => choose(event, () => actions.react(message, sign))}
            tabIndex={-1}
            type="button"
            {...(inMenu ? { role: "menuitemcheckbox", "aria-checked": on } : { "aria-pressed": on })}
          >
            {sign}
          </button>
        );
      })}
      <button
        aria-label={words.more}
        className={styles.sign}
        onClick={(event) =>
          choose(event, () => screen.setState({ open: { is: "reactionPicker", key: message.key } }))
        }
        role={inMenu ? "menuitem" : undefined}
        tabIndex={-1}
        type="button"
      >
        <Icon name="smile" />
      </button>
    </div>
  );
}

/** Left and Right move among the reactions; Down leaves them for the entries. */
function walk(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== "ArrowDown") return rove(event, "menuitem", ACROSS);
  event.stopPropagation();
  event.preventDefault();
  event.currentTarget.parentElement?.querySelector<HTMLElement>(":scope > [role=menuitem]")?.focus();
}
