import { useEffect, useState } from "react";
import type { StoreApi } from "zustand/vanilla";
import { showError } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import { PICTURES_TOGETHER } from "../../model/chat";
import { useRoom } from "../chatContext";
import type { Screen } from "../screen";
import styles from "./DropZone.module.css";

/**
 * Takes pictures that are dropped or pasted anywhere on the page. If no handler took a dropped picture, the browser
 * would leave the group and open the picture.
 */
export function DropZone() {
  const { screen } = useRoom();
  const [isOver, setOver] = useState(false);

  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    /** While a dialog is open no pictures are taken, unless it is the preview. */
    const isOpen = () =>
      screen.getState().open?.is === "preview" || document.querySelector("dialog[open]") === null;

    function drag(event: DragEvent) {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      if (!isOpen()) event.dataTransfer.dropEffect = "none";
      setOver(isOpen());
    }

    function leave({ relatedTarget }: DragEvent) {
      // With a related target the pointer is still on the page.
      if (relatedTarget === null) setOver(false);
    }

    function drop(event: DragEvent) {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(false);
      if (isOpen()) takePictures(screen, event.dataTransfer.files);
    }

    function paste(event: ClipboardEvent) {
      const files = event.clipboardData?.files ?? null;
      if (picturesIn(files).length === 0 || !isOpen()) return;
      event.preventDefault();
      takePictures(screen, files);
    }

    window.addEventListener("dragover", drag, { signal });
    window.addEventListener("dragleave", leave, { signal });
    window.addEventListener("drop", drop, { signal });
    window.addEventListener("paste", paste, { signal });
    return () => over.abort();
  }, [screen]);

  return isOver && <p className={styles.over}>{chatText.screen.composer.drop}</p>;
}

function picturesIn(files: Iterable<File> | null): File[] {
  return [...(files ?? [])].filter(({ type }) => type.startsWith("image/"));
}

/** Opens the preview with the pictures among these files, or adds them to it, and says if some were left out. */
export function takePictures(screen: StoreApi<Screen>, files: FileList | null) {
  const words = chatText.screen.preview;
  const pictures = picturesIn(files);
  const { open } = screen.getState();
  const all = [...(open?.is === "preview" ? open.pictures : []), ...pictures];
  if (pictures.length < (files?.length ?? 0)) showError(words.noPicture);
  if (all.length > PICTURES_TOGETHER)
    showError(words.tooMany(PICTURES_TOGETHER, all.length - PICTURES_TOGETHER));
  if (pictures.length > 0)
    screen.setState({ open: { is: "preview", pictures: all.slice(0, PICTURES_TOGETHER) } });
}
