import { lazy, Suspense } from "react";
import { copyAndTell } from "@/shared/clipboard";
import { shareLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";

const QrDialog = lazy(async () => ({ default: (await import("@/shared/ui/overlay/QrDialog")).QrDialog }));

type Props = { name: string; link: string; onClose: () => void };

export function RoomQrDialog({ name, link, onClose }: Props) {
  return (
    <Suspense>
      <QrDialog {...appText.qr.room} fileName={fileName(name)} link={link} onClose={onClose} />
    </Suspense>
  );
}

/** Characters that are replaced in a file name: all except letters and digits of any script. */
function fileName(room: string): string {
  const plain = room.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return `annon-${plain || "group"}`;
}

/** Opens the system's dialog for sharing a room's link. In a browser without one it copies the link. */
export async function shareRoom(name: string, link: string) {
  if (typeof navigator.share !== "function") return copyAndTell(link, appText.rooms.copied);
  return shareLink({ title: name, url: link });
}
