import { copyAndTell } from "@/shared/clipboard";
import { roomLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { noteDate } from "@/shared/text/noteDate";
import { Button } from "@/shared/ui/Button";
import { Icon } from "@/shared/ui/icons";
import { Loader } from "@/shared/ui/Loader";
import { useChat } from "../chatContext";
import styles from "./LogHead.module.css";

/** Above the first line: who created the group and when; or, while older lines are not loaded, that there are more. */
export function LogHead() {
  const words = chatText.screen.log;
  const hasOlder = useChat((chat) => chat.hasOlder);
  const { link, key, date, creator } = useChat((chat) => chat.room);
  const alone = useChat((chat) => chat.members.length < 2);
  const shown = noteDate(date);
  if (hasOlder) {
    return (
      <div className={styles.older} title={words.older}>
        <Loader kind="spinner" />
      </div>
    );
  }
  return (
    <div className={styles.head}>
      <p className={styles.created}>
        <time dateTime={shown.machine}>{words.created(`${shown.date}, ${shown.time}`, creator)}</time>
      </p>
      <p className={styles.rules}>{words.rules}</p>
      {alone && (
        <Button kind="hot" onClick={() => void copyAndTell(roomLink(link, key), appText.rooms.copied)}>
          <Icon name="copy" /> {appText.home.invite.copy}
        </Button>
      )}
    </div>
  );
}
