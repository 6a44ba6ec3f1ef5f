import { useEffect, useId } from "react";
import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import { Modal } from "@/shared/ui/overlay/Modal";
import { shownPictures } from "../../history/shownPictures";
import type { Line, Message, Picture } from "../../model/chat";
import { useChat, useRoom, useScreen } from "../chatContext";
import { faceName } from "../named";
import { usePicture } from "../usePicture";
import styles from "./Viewer.module.css";
import { ViewerPaging } from "./ViewerPaging";

/** One's own is sent as it is when it is small enough, and until a reload it is the file itself that is shown. */
const ENDINGS: Record<string, string> = { "image/png": "png", "image/webp": "webp" };

/** A picture as large as the window allows; the arrow keys lead to the group's other pictures. */
export function Viewer() {
  const words = chatText.screen.viewer;
  const { screen } = useRoom();
  const viewing = useScreen((state) => state.viewing);
  const lines = useChat((chat) => chat.lines);
  const id = useId();
  const pictures = lines.filter(isShown);
  const at = pictures.findIndex(({ key }) => key === viewing);
  const message = pictures[at];
  const isGone = viewing !== undefined && message === undefined;

  // It was taken back, and nobody looks at it any longer.
  useEffect(() => {
    if (isGone) screen.setState({ viewing: undefined });
  }, [isGone, screen]);

  if (!message?.picture) return null;

  function close() {
    screen.setState({ viewing: undefined });
  }

  function show(next: number) {
    const key = pictures[next]?.key;
    if (key !== undefined) screen.setState({ viewing: key });
  }

  return (
    <Modal
      aria-describedby={message.words ? `${id}caption` : undefined}
      aria-labelledby={`${id}title`}
      className={styles.viewer}
      onClose={close}
      onKeyDown={({ key }) => {
        if (key === "ArrowLeft") show(at - 1);
        if (key === "ArrowRight") show(at + 1);
      }}
    >
      <div className={styles.head}>
        <h2 className={styles.title} id={`${id}title`}>
          <span aria-hidden="true">{message.sender} </span>
          <span className="visually-hidden">{words.title(faceName(message.sender))}</span>
        </h2>
        <ViewerPaging at={at} count={pictures.length} onShow={show} />
        <Download name={message.seq ?? "picture"} picture={message.picture} />
        <button
          aria-label={words.close}
          className={styles.button}
          data-first
          onClick={close}
          title={words.close}
          type="button"
        >
          <Icon name="close" />
        </button>
      </div>
      <Whole
        address={message.picture.full}
        alt={message.words || words.title(faceName(message.sender))}
        key={message.key}
      />
      {message.words !== "" && (
        <p className={styles.caption} dir="auto" id={`${id}caption`}>
          {message.words}
        </p>
      )}
    </Modal>
  );
}

/** What is shown already is what is saved: a link shows no seat that the page carries. */
function Download({ name, picture }: { name: string | number; picture: Picture }) {
  const { src } = usePicture(picture.full);
  const ending = ENDINGS[shownPictures.formatOf(picture.full) ?? ""] ?? "jpg";
  return (
    <a className={styles.button} download={`annon-${name}.${ending}`} href={src ?? picture.full}>
      <Icon name="download" />
      <span>{chatText.screen.viewer.download}</span>
    </a>
  );
}

function Whole({ address, alt }: { address: string; alt: string }) {
  const { src } = usePicture(address);
  return <img alt={alt} className={styles.picture} src={src} />;
}

function isShown(line: Line): line is Message {
  return line.kind === "message" && line.picture !== null && !line.unsent;
}
