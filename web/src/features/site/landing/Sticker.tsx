import { useEffect, useRef } from "react";
import { fontsReady, paint } from "@/shared/capture/paint";
import { siteHost } from "@/shared/links";
import { text } from "@/shared/text/text";

/** A note as the picture that its reader could share. */
export function Sticker({ note, className }: { note: string; className: string | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { username, capture } = text.landing.how;

  useEffect(() => {
    const picture = {
      message: note,
      heading: text.aNote,
      invite: text.invite,
      address: `${siteHost()}/${username}`,
      shape: "square",
      look: "hot",
    } as const;
    void fontsReady().then(() => canvas.current && paint(canvas.current, picture));
  }, [note, username]);

  return <canvas aria-label={`${capture} ${note}`} className={className} ref={canvas} role="img" />;
}
