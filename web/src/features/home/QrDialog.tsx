import { useMemo } from "react";
import { saveFile } from "@/shared/saveFile";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import styles from "./QrDialog.module.css";
import { drawQr, qrOf, qrPath, qrSvg } from "./qr";

type Props = { link: string; name: string; onClose: () => void };

export function QrDialog({ link, name, onClose }: Props) {
  const words = appText.qr;
  const code = useMemo(() => qrOf(link), [link]);
  const address = link.replace(/^https?:\/\//, "");

  function savePng() {
    drawQr(code, 1024).toBlob((blob) => {
      if (blob) saveFile(new File([blob], `annon-${name}.png`, { type: "image/png" }));
    });
  }

  function saveSvg() {
    saveFile(new File([qrSvg(code)], `annon-${name}.svg`, { type: "image/svg+xml" }));
  }

  return (
    <Dialog description={words.body(address)} onOpenChange={onClose} open title={words.title}>
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
