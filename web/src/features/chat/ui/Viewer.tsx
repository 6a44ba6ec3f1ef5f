import { Dialog } from "@base-ui/react/dialog";
import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import type { Line, Message } from "../chat";
import { useRoom, useScreen } from "./chatContext";
import { faceName } from "./face";
import { useLast } from "./useLast";
import styles from "./Viewer.module.css";
import { ViewerPaging } from "./ViewerPaging";

/** A picture as large as the window allows; the arrow keys lead to the group's other pictures. */
export function Viewer() {
  const words = chatText.screen.viewer;
  const { store, screen } = useRoom();
  const opened = useScreen((state) => state.viewing);
  const viewing = useLast(opened);
  const pictures = store.getState().lines.filter(isShown);
  const at = pictures.findIndex(({ key }) => key === viewing);
  const message = pictures[at];
  if (!message?.picture) return null;

  function show(next: number) {
    const key = pictures[next]?.key;
    if (key !== undefined) screen.setState({ viewing: key });
  }

  return (
    <Dialog.Root
      onOpenChange={() => screen.setState({ viewing: undefined })}
      open={opened !== undefined && at !== -1}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          className={styles.viewer}
          onKeyDown={({ key }) => {
            if (key === "ArrowLeft") show(at - 1);
            if (key === "ArrowRight") show(at + 1);
          }}
        >
          <div className={styles.head}>
            <Dialog.Title className={styles.title}>
              <span aria-hidden="true">{message.sender} </span>
              <span className={styles.hidden}>{words.title(faceName(message.sender))}</span>
            </Dialog.Title>
            <ViewerPaging at={at} count={pictures.length} onShow={show} />
            <a
              className={styles.button}
              download={`annon-${message.seq ?? "picture"}.jpg`}
              href={message.picture.full}
            >
              <Icon name="download" />
              <span>{words.download}</span>
            </a>
            <Dialog.Close aria-label={words.close} className={styles.button} title={words.close}>
              <Icon name="close" />
            </Dialog.Close>
          </div>
          <img
            alt={message.words || words.title(faceName(message.sender))}
            className={styles.picture}
            key={message.key}
            src={message.picture.full}
          />
          {message.words !== "" && (
            <Dialog.Description className={styles.caption} dir="auto">
              {message.words}
            </Dialog.Description>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function isShown(line: Line): line is Message {
  return line.kind === "message" && line.picture !== null && !line.unsent;
}
