import { useMemo } from "react";
import { encode } from "uqr";
import { asPng, saveFile } from "@/shared/files";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "./Dialog";
import styles from "./QrDialog.module.css";

type Props = {
  link: string;
  title: string;
  /** What the link is for. `address` is the link as people read it. */
  body: (address: string) => string;
  /** The name of a downloaded file, without its ending. */
  fileName: string;
  onClose: () => void;
};

/** Shows a link as a QR code that can be downloaded. It is a file of its own, because the drawing code is large. */
export function QrDialog({ link, title, body, fileName, onClose }: Props) {
  const words = appText.qr;
  const address = link.replace(/^https?:\/\//, "");

  async function savePng() {
    // In a browser that can't make a PNG there is still the SVG.
    const file = await asPng(drawQr(qrOf(link), 1024), fileName).catch(() => undefined);
    if (file) saveFile(file);
  }

  function saveSvg() {
    saveFile(new File([qrSvg(qrOf(link))], `${fileName}.svg`, { type: "image/svg+xml" }));
  }

  return (
    <Dialog body={body(address)} onClose={onClose} title={title}>
      <QrCode label={words.alt(address)} link={link} />
      <div className={styles.actions}>
        <Button onClick={savePng}>{words.png}</Button>
        <Button onClick={saveSvg}>{words.svg}</Button>
      </div>
    </Dialog>
  );
}

/** A link as a QR code. `label` is what a screen reader says of it. */
export function QrCode({ link, label }: { link: string; label: string }) {
  const code = useMemo(() => qrOf(link), [link]);
  return (
    <svg
      aria-label={label}
      className={styles.code}
      role="img"
      shapeRendering="crispEdges"
      viewBox={`0 0 ${code.size} ${code.size}`}
    >
      <path d={qrPath(code)} />
    </svg>
  );
}

/** The empty margin around a code, in modules, as the standard requires. */
const QUIET = 4;

type Qr = { size: number; modules: boolean[][] };

export function qrOf(text: string): Qr {
  const { data, size } = encode(text, { ecc: "M", border: QUIET });
  return { size, modules: data };
}

export function qrPath({ modules }: Qr): string {
  return modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
}

export function qrSvg(code: Qr): string {
  const { size } = code;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${qrPath(code)}"/></svg>`;
}

/** Draws each module with whole pixels, so the size is only about the wanted one. */
function drawQr(code: Qr, wanted: number): HTMLCanvasElement {
  const scale = Math.max(1, Math.floor(wanted / code.size));
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = code.size * scale;
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#000";
  context.scale(scale, scale);
  context.fill(new Path2D(qrPath(code)));
  return canvas;
}
