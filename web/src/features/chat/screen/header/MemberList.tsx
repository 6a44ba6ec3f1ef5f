import type { HTMLAttributes } from "react";
import { ROOM_MEMBERS } from "@/shared/contract/limits";
import { chatText } from "@/shared/text/chatText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { IconButton } from "@/shared/ui/IconButton";
import { Icon } from "@/shared/ui/icons";
import type { Emoji } from "../../model/chat";
import { useChat, useRoom } from "../chatContext";
import { memberName } from "../named";
import styles from "./MemberList.module.css";

type Props = HTMLAttributes<HTMLElement> & {
  shown: boolean;
  "data-beside": true | undefined;
  onClose: () => void;
};

export function MemberList({ shown, onClose, ...listeners }: Props) {
  const words = chatText.screen.members;
  const members = useChat((chat) => chat.members);
  const active = useChat((chat) => chat.active);
  const here = members.filter((emoji) => active.includes(emoji));
  const away = members.filter((emoji) => !active.includes(emoji));
  const free = Array.from({ length: Math.max(0, ROOM_MEMBERS - members.length) }, (_, at) => at);

  return (
    <section
      {...listeners}
      aria-labelledby="members-title"
      className={styles.panel}
      data-shown={shown || undefined}
      id="members"
      tabIndex={-1}
    >
      <div className={styles.head}>
        <h2 className={styles.title} id="members-title">
          {words.title}
        </h2>
        <p className={styles.count}>{words.count(members.length, ROOM_MEMBERS)}</p>
        <IconButton icon="close" label={words.close} onClick={onClose} />
      </div>
      <ul className={styles.seats}>
        {[...here, ...away].map((emoji) => (
          <Seat emoji={emoji} here={active.includes(emoji)} key={emoji} />
        ))}
        {free.map((at) => (
          <li aria-hidden="true" className={styles.free} key={at} />
        ))}
      </ul>
    </section>
  );
}

/** A seat that is taken. Where something can be done with it, its emoji opens a menu. */
function Seat({ emoji, here }: { emoji: Emoji; here: boolean }) {
  const words = chatText.screen;
  const { screen } = useRoom();
  const isMine = useChat((chat) => chat.me === emoji);
  const amCreator = useChat((chat) => chat.amCreator);
  const name = memberName(emoji);
  const disc = <EmojiDisc className={styles.emoji} emoji={emoji} />;
  return (
    <li className={styles.seat} data-away={!here || undefined}>
      {amCreator && !isMine ? (
        <button
          aria-haspopup="menu"
          aria-label={words.members.menu(name)}
          className={styles.more}
          onClick={({ currentTarget: from }) => screen.setState({ open: { is: "seatMenu", emoji, from } })}
          type="button"
        >
          {disc}
          <Icon name="more" size={14} />
        </button>
      ) : (
        disc
      )}
      <span className={styles.name}>
        {name}
        {isMine && ` (${words.you})`}
      </span>
      <span className={styles.state}>{here ? words.members.here : words.members.away}</span>
    </li>
  );
}
