import type { StoreApi } from "zustand/vanilla";
import type { Screen } from "./screen";

/** So many are sent in a row at most: the preview has to hold them, and the group as well. */
const MOST = 10;

/** The pictures among files that were chosen, pasted or dropped. */
export function picturesIn(files: Iterable<File> | null): File[] {
  return [...(files ?? [])].filter(({ type }) => type.startsWith("image/"));
}

/** Opens the preview, or adds to it. */
export function choosePictures(screen: StoreApi<Screen>, pictures: readonly File[]) {
  if (pictures.length === 0) return;
  screen.setState(({ chosen }) => ({ chosen: [...chosen, ...pictures].slice(0, MOST) }));
}
