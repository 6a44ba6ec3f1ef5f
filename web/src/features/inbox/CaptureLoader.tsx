import { lazy, Suspense } from "react";
import type { Note } from "./inboxStore";

const CaptureDialog = lazy(async () => ({
  default: (await import("./capture/CaptureDialog")).CaptureDialog,
}));

type Props = { note: Note | undefined; username: string; onClose: () => void };

/** The drawing code is loaded when the first note is captured. */
export function CaptureLoader({ note, username, onClose }: Props) {
  return (
    <Suspense>
      {note && <CaptureDialog message={note.message} onClose={onClose} username={username} />}
    </Suspense>
  );
}
