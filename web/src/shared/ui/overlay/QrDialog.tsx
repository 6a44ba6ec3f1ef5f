import { useMemo } from "react";
import { asPng, saveFile } from "@/shared/files";
import { drawQr, qrOf, qrPath, qrSvg } from "@/shared/qr";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "./Dialog";
import styles from "./QrDialog.module.css";

type Props = {
  link: string;
  title: string;
  /** What the link is for, given the address as people read it. */
  body: (address: string) => string;
  /** What a downloaded file is called, without its ending. */
  fileName: string;
  onClose: () => void;
};

/** A link as a QR code, to be looked at or taken along. Loaded when it is asked for: the drawing code is large. */
export function QrDialog({ link, title, body, fileName, onClose }: Props) {
  const words = appText.qr;
  const code = useMemo(() => qrOf(link), [link]);
  const address = link.replace(/^https?:\/\//, "");

  async function savePng() {
    // A browser that can't make one has the SVG beside it.
    const file = await asPng(drawQr(code, 1024), fileName).catch(() => undefined);
    if (file) saveFile(file);
  }

  function saveSvg() {
    saveFile(new File([qrSvg(code)], `${fileName}.svg`, { type: "image/svg+xml" }));
  }

  return (
    <Dialog body={body(address)} onClose={onClose} title={title}>
      <svg
        aria-label={words.alt(address)}
        className={styles.code}
        role="img"
        shapeRendering="crispEdges"
        viewBox={`0 0 ${code.size} ${code.size}`}
      >
        <path d={qrPath(code)} />
      </svg>
      <div className={styles.actions}>
        <Button onClick={savePng}>{words.png}</Button>
        <Button onClick={saveSvg}>{words.svg}</Button>
      </div>
    </Dialog>
  );
}
