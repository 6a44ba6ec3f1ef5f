import { chatText } from "@/shared/text/chatText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { Icon } from "@/shared/ui/icons";
import type { Face } from "../chat";
import { faceName } from "./face";
import styles from "./MemberList.module.css";

type Props = { face: Face; here: boolean; mine: boolean; onKick: (() => void) | undefined };

/** A seat that is taken. */
export function Seat({ face, here, mine, onKick }: Props) {
  const words = chatText.screen;
  const name = faceName(face);
  return (
    <li className={styles.seat} data-away={!here || undefined}>
      <EmojiDisc className={styles.face} emoji={face} />
      <span className={styles.name}>
        {name}
        {mine && ` (${words.you})`}
      </span>
      <span className={styles.state}>{here ? words.members.here : words.members.away}</span>
      {onKick && (
        <button
          aria-label={words.members.kick(name)}
          className={styles.kick}
          onClick={onKick}
          title={words.members.kick(name)}
          type="button"
        >
          <Icon name="close" size={14} />
        </button>
      )}
    </li>
  );
}
