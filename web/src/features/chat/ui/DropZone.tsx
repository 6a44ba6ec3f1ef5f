import { type DragEvent, type ReactNode, useState } from "react";
import { chatText } from "@/shared/text/chatText";
import { useRoom } from "./chatContext";
import styles from "./DropZone.module.css";
import { choosePictures, picturesIn } from "./pictures";

/** Takes pictures that are dropped anywhere on the screen. */
export function DropZone({ children }: { children: ReactNode }) {
  const { screen } = useRoom();
  const [over, setOver] = useState(false);

  function drag(event: DragEvent) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  }

  function leave(event: DragEvent<HTMLElement>) {
    const inside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
    if (!inside) setOver(false);
  }

  function drop(event: DragEvent) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(false);
    choosePictures(screen, picturesIn(event.dataTransfer.files));
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: one way of three to add a picture; the button is another
    <div className={styles.zone} onDragLeave={leave} onDragOver={drag} onDrop={drop}>
      {children}
      {over && (
        <div className={styles.over}>
          <p>{chatText.screen.composer.drop}</p>
        </div>
      )}
    </div>
  );
}
