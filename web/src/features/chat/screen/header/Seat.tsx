import { chatText } from "@/shared/text/chatText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { Icon } from "@/shared/ui/icons";
import type { Face } from "../../model/chat";
import { useRoom } from "../chatContext";
import { faceName } from "../named";
import styles from "./MemberList.module.css";

type Props = { face: Face; here: boolean; mine: boolean; hasMenu: boolean };

/** A seat that is taken. Where something can be done with it, its face opens a menu. */
export function Seat({ face, here, mine, hasMenu }: Props) {
  const words = chatText.screen;
  const name = faceName(face);
  return (
    <li className={styles.seat} data-away={!here || undefined}>
      {hasMenu ? <FaceButton face={face} /> : <EmojiDisc className={styles.face} emoji={face} />}
      <span className={styles.name}>
        {name}
        {mine && ` (${words.you})`}
      </span>
      <span className={styles.state}>{here ? words.members.here : words.members.away}</span>
    </li>
  );
}

function FaceButton({ face }: { face: Face }) {
  const { screen } = useRoom();
  return (
    <button
      aria-haspopup="menu"
      aria-label={chatText.screen.members.menu(faceName(face))}
      className={styles.more}
      onClick={(event) => screen.setState({ seatMenu: { face, from: event.currentTarget } })}
      type="button"
    >
      <EmojiDisc className={styles.face} emoji={face} />
      <Icon name="more" size={14} />
    </button>
  );
}
