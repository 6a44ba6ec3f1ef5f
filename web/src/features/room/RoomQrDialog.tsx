import { lazy, Suspense } from "react";
import { appText } from "@/shared/text/appText";

const QrDialog = lazy(async () => ({ default: (await import("@/shared/ui/overlay/QrDialog")).QrDialog }));

type Props = { name: string; link: string; onClose: () => void };

export function RoomQrDialog({ name, link, onClose }: Props) {
  return (
    <Suspense>
      <QrDialog {...appText.qr.group} fileName={fileName(name)} link={link} onClose={onClose} />
    </Suspense>
  );
}

/** Letters and digits of any script; the rest may mean something to a file system. */
function fileName(room: string): string {
  const plain = room.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return `annon-${plain || "group"}`;
}
