import { useState } from "react";
import { copyAndTell } from "@/shared/copyAndTell";
import { roomLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { IconButton } from "@/shared/ui/IconButton";
import { seatHeaders } from "../connection/ask";
import styles from "./CarriedSeat.module.css";
import { useChat } from "./chatContext";

/** Says what it means that the page has to carry the seat, until that is read. */
export function CarriedSeat() {
  const words = chatText.screen.carried;
  const id = useChat((chat) => chat.room.id);
  const [isShown, setShown] = useState(() => Object.keys(seatHeaders()).length > 0);
  if (!isShown) return null;
  return (
    <div className={styles.line}>
      <p className={styles.words}>
        <span className={styles.why}>{words.why}</span> {words.meaning}{" "}
        <button
          className={styles.copy}
          onClick={() => void copyAndTell(roomLink(id), appText.groups.copied)}
          type="button"
        >
          {words.copy}
        </button>
      </p>
      <IconButton icon="close" label={words.close} onClick={() => setShown(false)} />
    </div>
  );
}
