import { useOverlay } from "@/shared/overlays";
import { chatText } from "@/shared/text/chatText";
import { IconButton } from "@/shared/ui/IconButton";
import { ROOM_MEMBERS } from "@/shared/wire/limits";
import { useChat, useRoom } from "./chatContext";
import styles from "./MemberList.module.css";
import { Seat } from "./Seat";

/** The ten seats: who is on them, and who of those is here now. */
export function MemberList() {
  const words = chatText.screen.members;
  const { screen } = useRoom();
  const members = useChat((chat) => chat.members);
  const active = useChat((chat) => chat.active);
  const me = useChat((chat) => chat.me);
  const amCreator = useChat((chat) => chat.amCreator);
  const here = members.filter((face) => active.includes(face));
  const away = members.filter((face) => !active.includes(face));
  const free = Array.from({ length: Math.max(0, ROOM_MEMBERS - members.length) }, (_, at) => at);

  useOverlay(close);

  function close() {
    const panel = document.getElementById("members");
    // Somebody who writes goes on writing.
    if (panel?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>("[aria-controls=members]")?.focus();
    }
    screen.setState({ membersShown: false });
  }

  return (
    <section aria-labelledby="members-title" className={styles.panel} id="members">
      <div className={styles.head}>
        <h2 className={styles.title} id="members-title">
          {words.title}
        </h2>
        <p className={styles.count}>{words.count(members.length, ROOM_MEMBERS)}</p>
        <IconButton icon="close" label={words.close} onClick={close} />
      </div>
      <ul className={styles.seats}>
        {[...here, ...away].map((face) => (
          <Seat
            face={face}
            hasMenu={amCreator && face !== me}
            here={active.includes(face)}
            key={face}
            mine={face === me}
          />
        ))}
        {free.map((at) => (
          <li aria-hidden="true" className={styles.free} key={at} />
        ))}
      </ul>
    </section>
  );
}
