import { type ChangeEvent, useRef } from "react";
import { chatText } from "@/shared/text/chatText";
import { IconButton } from "@/shared/ui/IconButton";
import { useRoom } from "../chatContext";
import { takePictures } from "./DropZone";

export function PhotoButton() {
  const label = chatText.screen.composer.photo;
  const { screen } = useRoom();
  const input = useRef<HTMLInputElement>(null);

  function choose(event: ChangeEvent<HTMLInputElement>) {
    takePictures(screen, event.target.files);
    // Otherwise the same picture could not be chosen again.
    event.target.value = "";
  }

  return (
    <>
      <IconButton icon="picture" label={label} onClick={() => input.current?.click()} />
      <input
        accept="image/*"
        aria-hidden="true"
        className="visually-hidden"
        multiple
        onChange={choose}
        ref={input}
        tabIndex={-1}
        type="file"
      />
    </>
  );
}
