import { useState } from "react";
import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import type { Message, Picture } from "../../model/chat";
import { useRoom } from "../chatContext";
import { memberName } from "../named";
import { usePicture } from "../usePicture";
import styles from "./BubblePicture.module.css";

/** A picture. Its box has the right size at once, and shows the tiny form, blurred, until the picture is loaded. */
export function BubblePicture({ message, picture }: { message: Message; picture: Picture }) {
  const words = chatText.screen.message;
  const { screen } = useRoom();
  const [loaded, setLoaded] = useState(false);
  const { src, isBroken } = usePicture(picture.full);
  const { sender, words: caption, delivery } = message;
  const name = memberName(sender);
  const percent = delivery.state === "uploading" ? Math.round(delivery.percent) : undefined;
  return (
    <button
      aria-label={caption === "" ? words.openPicture(name) : words.caption(name, caption)}
      className={styles.picture}
      onClick={() => screen.setState({ open: { is: "viewer", key: message.key } })}
      type="button"
    >
      {picture.tiny !== null && <Tiny address={picture.tiny} isCovered={loaded} />}
      <img
        alt=""
        className={styles.full}
        data-loaded={loaded || undefined}
        decoding="async"
        onLoad={() => setLoaded(true)}
        src={src}
      />
      {isBroken && (
        <span className={`pill ${styles.progress}`}>
          <Icon name="picture" />
        </span>
      )}
      {message.uploaded && (
        <span className={`pill ${styles.progress}`}>
          <Icon name="check" size={16} />
          <span className={styles.words}>{words.sent}</span>
        </span>
      )}
      {percent !== undefined && (
        <span className={`pill ${styles.progress}`}>
          <progress aria-label={words.uploading(percent)} max={100} value={percent} />
          <span aria-hidden="true">{percent} %</span>
        </span>
      )}
    </button>
  );
}

function Tiny({ address, isCovered }: { address: string; isCovered: boolean }) {
  const { src } = usePicture(address);
  return <img alt="" className={styles.tiny} data-covered={isCovered || undefined} src={src} />;
}
