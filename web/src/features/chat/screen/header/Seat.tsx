import { chatText } from "@/shared/text/chatText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { Icon } from "@/shared/ui/icons";
import type { Emoji } from "../../model/chat";
import { useRoom } from "../chatContext";
import { memberName } from "../named";
import styles from "./MemberList.module.css";

type Props = { emoji: Emoji; here: boolean; mine: boolean; hasMenu: boolean };

/** A seat that is taken. Where something can be done with it, its emoji opens a menu. */
export function Seat({ emoji, here, mine, hasMenu }: Props) {
  const words = chatText.screen;
  const name = memberName(emoji);
  return (
    <li className={styles.seat} data-away={!here || undefined}>
      {hasMenu ? <SeatButton emoji={emoji} /> : <EmojiDisc className={styles.emoji} emoji={emoji} />}
      <span className={styles.name}>
        {name}
        {mine && ` (${words.you})`}
      </span>
      <span className={styles.state}>{here ? words.members.here : words.members.away}</span>
    </li>
  );
}

function SeatButton({ emoji }: { emoji: Emoji }) {
  const { screen } = useRoom();
  return (
    <button
      aria-haspopup="menu"
      aria-label={chatText.screen.members.menu(memberName(emoji))}
      className={styles.more}
      onClick={(event) => screen.setState({ open: { is: "seatMenu", emoji, from: event.currentTarget } })}
      type="button"
    >
      <EmojiDisc className={styles.emoji} emoji={emoji} />
      <Icon name="more" size={14} />
    </button>
  );
}
