import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { IconButton } from "@/shared/ui/IconButton";
import { Icon } from "@/shared/ui/icons";
import dialog from "@/shared/ui/overlay/Dialog.module.css";
import { Modal } from "@/shared/ui/overlay/Modal";
import { useSwipe } from "@/shared/ui/swipe";
import { shownPictures } from "../../history/shownPictures";
import type { Line, Message, Picture } from "../../model/chat";
import { useChat, useRoom } from "../chatContext";
import { clockTime } from "../moment";
import { memberName } from "../named";
import { usePicture } from "../usePicture";
import styles from "./Viewer.module.css";

/** How far down a finger has to move to close the viewer. */
const CLOSES_AT_PX = 90;

/** Other formats than JPEG come from this device: a small file is sent as it is, and shown itself until a reload. */
const ENDINGS: Record<string, string> = { "image/png": "png", "image/webp": "webp" };

/** A picture as large as the window allows. Arrow keys and swipes show the group's other pictures. */
export function Viewer({ viewing, onClose }: { viewing: string; onClose: () => void }) {
  const words = chatText.screen.viewer;
  const { screen } = useRoom();
  const lines = useChat((chat) => chat.lines);
  const id = useId();
  const stage = useRef<HTMLDivElement>(null);
  const pictures = lines.filter(isShown);
  const at = pictures.findIndex(({ key }) => key === viewing);
  const message = pictures[at];

  // The message was retracted, so the viewer closes.
  useEffect(() => {
    if (!message) onClose();
  });

  const swipe = useSwipe(at, pictures.length, show, stage);

  if (!message?.picture) return null;
  const name = memberName(message.sender);

  function show(next: number) {
    const key = pictures[next]?.key;
    if (key !== undefined) screen.setState({ open: { is: "viewer", key } });
  }

  function step(icon: "back" | "next", label: string, to: number) {
    const isDisabled = pictures[to] ? undefined : true;
    const given = { icon, label, className: styles.button, onClick: () => show(to) };
    return <IconButton aria-disabled={isDisabled} {...given} />;
  }

  return (
    <Modal
      aria-describedby={message.words ? `${id}caption` : undefined}
      aria-labelledby={`${id}title`}
      className={`${dialog.layer} ${styles.viewer}`}
      onClose={onClose}
      onKeyDown={({ key }) => {
        if (key === "ArrowLeft") show(at - 1);
        if (key === "ArrowRight") show(at + 1);
      }}
    >
      <div className={styles.head}>
        <h2 className={styles.title} id={`${id}title`}>
          <span aria-hidden="true">{message.sender} </span>
          <span className="visually-hidden">{words.title(name)}</span>
          <span aria-hidden="true" className={styles.who}>
            {name}
          </span>
        </h2>
        <p className={styles.time}>{clockTime(message.time, Date.now())}</p>
        {pictures.length > 1 && (
          <div className={styles.paging}>
            {step("back", words.previous, at - 1)}
            {step("next", words.next, at + 1)}
            <p aria-live="polite" className={styles.place}>
              {words.place(at + 1, pictures.length)}
            </p>
          </div>
        )}
        <Download name={message.seq ?? "picture"} picture={message.picture} />
        <IconButton
          className={styles.button}
          data-first
          icon="close"
          label={appText.dialog.close}
          onClick={onClose}
        />
      </div>
      <Stage key={message.key} onClose={onClose} place={stage} swipe={swipe}>
        <Whole address={message.picture.full} alt={message.words || words.title(name)} />
      </Stage>
      {message.words !== "" && (
        <p className={styles.caption} dir="auto" id={`${id}caption`}>
          {message.words}
        </p>
      )}
    </Modal>
  );
}

type StageProps = {
  onClose: () => void;
  place: RefObject<HTMLDivElement | null>;
  swipe: ReturnType<typeof useSwipe>;
  children: ReactNode;
};

/** A swipe down closes the viewer, a double tap enlarges the picture. The browser handles two fingers. */
function Stage({ onClose, place, swipe, children }: StageProps) {
  const [isClose, setClose] = useState(false);
  const from = useRef<React.Touch>(undefined);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: there are keys and buttons for what fingers do here
    <div
      className={styles.stage}
      data-close={isClose || undefined}
      onDoubleClick={() => setClose(!isClose)}
      onTouchCancel={swipe.onTouchCancel}
      onTouchEnd={(event) => {
        const [start, end] = [from.current, event.changedTouches[0]];
        from.current = undefined;
        const down = start && end ? end.clientY - start.clientY : 0;
        const across = start && end ? Math.abs(end.clientX - start.clientX) : 0;
        if (down > CLOSES_AT_PX && down > across * 1.6) onClose();
        else swipe.onTouchEnd(event);
      }}
      onTouchMove={swipe.onTouchMove}
      onTouchStart={(event) => {
        // An enlarged picture is moved by the finger.
        const isMoved = isClose || event.touches.length > 1 || (window.visualViewport?.scale ?? 1) > 1.01;
        from.current = isMoved ? undefined : event.touches[0];
        if (isMoved) swipe.onTouchCancel();
        else swipe.onTouchStart(event);
      }}
      ref={place}
    >
      {children}
    </div>
  );
}

/** Saves the picture that is already loaded: a plain link would not send a seat that the page carries. */
function Download({ name, picture }: { name: string | number; picture: Picture }) {
  const { src } = usePicture(picture.full);
  const ending = ENDINGS[shownPictures.formatOf(picture.full) ?? ""] ?? "jpg";
  return (
    <a className={styles.button} download={`annon-${name}.${ending}`} href={src ?? picture.full}>
      <Icon name="download" />
      <span>{appText.download}</span>
    </a>
  );
}

function Whole({ address, alt }: { address: string; alt: string }) {
  const { src } = usePicture(address);
  return <img alt={alt} className={styles.picture} src={src} />;
}

function isShown(line: Line): line is Message {
  return line.kind === "message" && line.picture !== null && !line.retracted;
}
