import { lazy, Suspense, useState } from "react";
import { copyAndTell } from "@/shared/clipboard";
import { ROOM_LIFETIME_HOURS } from "@/shared/contract/limits";
import { createRoom } from "@/shared/createRoom";
import { roomLink, shareLink } from "@/shared/links";
import { showError } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { failureText } from "@/shared/text/failureText";
import { groupLinkText } from "@/shared/text/groupLinkText";
import { sealedText } from "@/shared/text/sealedText";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import dialog from "@/shared/ui/overlay/Dialog.module.css";
import type { Emoji } from "../model/chat";
import { useRoom } from "../screen/chatContext";
import { memberName } from "../screen/named";
import { newSealed } from "./newSealed";

const QrDialog = lazy(async () => ({ default: (await import("@/shared/ui/overlay/QrDialog")).QrDialog }));

type Props = { but: Emoji; onClose: () => void };

/**
 * Makes another sealed group, with a key that one member doesn't have. Nobody is told of it here: what is said in this
 * group, that member can read as soon as somebody passes it on.
 */
export function NewGroupDialog({ but, onClose }: Props) {
  const words = sealedText.allBut;
  const { store } = useRoom();
  const { name, askFirst } = store.getState().room;
  const [busy, setBusy] = useState(false);
  const [link, setLink] = useState<string>();
  const [qr, setQr] = useState(false);
  const other = memberName(but);

  async function make() {
    setBusy(true);
    try {
      const { id, key } = await createRoom(name, ROOM_LIFETIME_HOURS, askFirst, newSealed);
      setLink(roomLink(id, key));
    } catch (failure) {
      showError(failureText(failure));
    }
    setBusy(false);
  }

  if (link === undefined) {
    return (
      <Dialog body={words.why(other)} onClose={onClose} title={groupLinkText.allBut(other)}>
        <p>{words.how(other)}</p>
        <div className={dialog.actions}>
          <Button data-first onClick={onClose}>
            {appText.dialog.cancel}
          </Button>
          <Button busy={busy} kind="hot" onClick={() => void make()}>
            {appText.rooms.create}
          </Button>
        </div>
      </Dialog>
    );
  }
  if (qr) {
    return (
      <Suspense>
        <QrDialog {...appText.qr.room} fileName="annon-group" link={link} onClose={() => setQr(false)} />
      </Suspense>
    );
  }
  return (
    <Dialog body={words.share(other)} onClose={onClose} title={appText.newRoom.done.heading}>
      <p>{sealedText.made}</p>
      <div className={dialog.actions}>
        <Button data-first kind="hot" onClick={() => void copyAndTell(link, appText.rooms.copied)}>
          {appText.newRoom.done.copy}
        </Button>
        {typeof navigator.share === "function" && (
          <Button onClick={() => void shareLink({ title: name, url: link })}>{appText.rooms.share}</Button>
        )}
        <Button aria-haspopup="dialog" onClick={() => setQr(true)}>
          {appText.qr.open}
        </Button>
        <a className="target" href={link} rel="noopener" target="_blank">
          {appText.newRoom.done.open}
        </a>
      </div>
    </Dialog>
  );
}
