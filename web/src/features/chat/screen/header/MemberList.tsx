import type { HTMLAttributes } from "react";
import { ROOM_MEMBERS } from "@/shared/contract/limits";
import { chatText } from "@/shared/text/chatText";
import { IconButton } from "@/shared/ui/IconButton";
import { useChat } from "../chatContext";
import styles from "./MemberList.module.css";
import { Seat } from "./Seat";

type Props = HTMLAttributes<HTMLElement> & {
  shown: boolean;
  "data-beside": true | undefined;
  onClose: () => void;
};

/** The ten seats: who is on them, and who of those is here now. */
export function MemberList({ shown, onClose, ...listeners }: Props) {
  const words = chatText.screen.members;
  const members = useChat((chat) => chat.members);
  const active = useChat((chat) => chat.active);
  const me = useChat((chat) => chat.me);
  const amCreator = useChat((chat) => chat.amCreator);
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
          <Seat
            emoji={emoji}
            hasMenu={amCreator && emoji !== me}
            here={active.includes(emoji)}
            key={emoji}
            mine={emoji === me}
          />
        ))}
        {free.map((at) => (
          <li aria-hidden="true" className={styles.free} key={at} />
        ))}
      </ul>
    </section>
  );
}
