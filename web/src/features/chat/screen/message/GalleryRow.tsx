import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { IconButton } from "@/shared/ui/IconButton";
import type { Message } from "../../model/chat";
import type { Gallery } from "../log/listRows";
import { memberName } from "../named";
import { Bubble } from "./Bubble";
import { BubblePicture } from "./BubblePicture";
import styles from "./GalleryRow.module.css";
import row from "./MessageRow.module.css";
import { HoverBar, Reactions, useMouseOver } from "./Reactions";
import { hasMenu, useMessageMenu, useMessageState } from "./useMessageMenu";

/** A picture that is smaller than a place in a gallery keeps its size. */
const TILE_PX = 90;

type Props = { gallery: Gallery; first: boolean; last: boolean };

/** Pictures that were sent together, as one message. Each has its own menu. */
export function GalleryRow({ gallery, first, last }: Props) {
  const words = chatText.screen;
  const { messages, mine, sender } = gallery;
  const count = words.log.pictures(messages.length);
  // Two taps beside the pictures react to the one that has the words.
  const said = messages.find((message) => message.words !== "") ?? messages[0];
  return (
    <article
      className={row.row}
      data-first={first || undefined}
      data-last={last || undefined}
      data-mine={mine || undefined}
      data-said={said?.key}
    >
      <span className="visually-hidden">{words.log.said(mine ? words.you : memberName(sender), count)} </span>
      <div className={row.slip}>
        <Bubble
          message={{ ...gallery, kind: "message" }}
          pictures={
            // biome-ignore lint/a11y/useSemanticElements: nothing is filled in
            <div aria-label={count} className={styles.gallery} data-count={messages.length} role="group">
              {messages.map((message) => (
                <Tile key={message.key} message={message} />
              ))}
            </div>
          }
        />
      </div>
    </article>
  );
}

function Tile({ message }: { message: Message }) {
  const { picture } = message;
  const { chosen, highlighted } = useMessageState(message);
  const { openAt } = useMessageMenu();
  const { isOver, over } = useMouseOver();
  const side = Math.max(picture?.width ?? 0, picture?.height ?? 0);
  return (
    <div
      {...over}
      className={styles.tile}
      data-chosen={chosen || undefined}
      data-highlighted={highlighted || undefined}
      data-row={message.key}
      data-small={(side > 0 && side < TILE_PX) || undefined}
      tabIndex={-1}
    >
      {picture && <BubblePicture message={message} picture={picture} />}
      <Reactions message={message} onPicture />
      {isOver && <HoverBar message={message} onPicture />}
      {hasMenu(message) && (
        <span className={styles.more}>
          <IconButton aria-haspopup="menu" icon="more" label={appText.more} onClick={openAt} tabIndex={-1} />
        </span>
      )}
    </div>
  );
}
