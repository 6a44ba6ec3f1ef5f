import type { StoreApi } from "zustand/vanilla";
import { complain } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import type { Screen } from "../screen";

/** So many are sent in a row at most: the preview has to hold them, and the group as well. */
const MOST = 10;

export function picturesIn(files: Iterable<File> | null): File[] {
  return [...(files ?? [])].filter(({ type }) => type.startsWith("image/"));
}

/** Opens the preview with the pictures among the files, or adds to it, and says what is left out. */
export function takePictures(screen: StoreApi<Screen>, files: FileList | null) {
  const words = chatText.screen.preview;
  const pictures = picturesIn(files);
  const { open } = screen.getState();
  const all = [...(open?.is === "preview" ? open.pictures : []), ...pictures];
  if (pictures.length < (files?.length ?? 0)) complain(words.noPicture);
  if (all.length > MOST) complain(words.tooMany(MOST, all.length - MOST));
  if (pictures.length > 0) screen.setState({ open: { is: "preview", pictures: all.slice(0, MOST) } });
}
