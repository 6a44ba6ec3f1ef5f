import { type ComponentType, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { copyAndTell } from "@/shared/clipboard";
import { paths } from "@/shared/contract/pages";
import type { NewRoom, Sealing } from "@/shared/createRoom";
import { roomLink, roomPath } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import { sealedText } from "@/shared/text/sealedText";
import { Button } from "@/shared/ui/Button";
import { TagForm } from "@/shared/ui/form/Form";
import { outcome } from "@/shared/ui/form/outcome";
import { Icon } from "@/shared/ui/icons";
import { ButtonLink } from "@/shared/ui/links";
import styles from "./NewRoom.module.css";
import { NewRoomForm, NewRoomNotices } from "./NewRoomForm";
import { RoomQrDialog, shareRoom } from "./shareRoom";

type Props = { Knocks: ComponentType<{ id: string }>; seal: Sealing };

/** The form, and then the group's link. The link is kept in the history entry, so that it is there after going back. */
export function NewRoomPage({ Knocks, seal }: Props) {
  const navigate = useNavigate();
  const room: NewRoom | undefined = useLocation().state?.made;
  const [isAnother, setAnother] = useState(false);

  function startAnother() {
    setAnother(true);
    navigate(paths.roomNew);
  }

  return room ? (
    <>
      {room.asksFirst && <Knocks id={room.id} />}
      <RoomCreated onAnother={startAnother} room={room} />
    </>
  ) : (
    <NewRoomForm
      isAnother={isAnother}
      onCreated={(made) => navigate(paths.roomNew, { replace: true, state: { made } })}
      seal={seal}
    />
  );
}

function RoomCreated({ room, onAnother }: { room: NewRoom; onAnother: () => void }) {
  const words = appText.newRoom.done;
  const link = roomLink(room.id, room.key);
  const [qr, setQr] = useState(false);
  return (
    <TagForm
      below={<Button onClick={onAnother}>{words.another}</Button>}
      tone="mint"
      words={{ heading: words.heading, small: appText.newRoom.small }}
    >
      <p className={styles.lead} {...outcome}>
        {room.asksFirst && appText.rooms.askFirst.more} {words.lead(room.name, room.hours)}
      </p>
      {room.key !== undefined && <p className={styles.lead}>{sealedText.made}</p>}
      <p className={styles.address} dir="ltr">
        {link.replace(/^https?:\/\//, "")}
      </p>
      <div className={styles.actions}>
        <Button kind="hot" onClick={() => copyAndTell(link, appText.rooms.copied)}>
          <Icon name="copy" /> {words.copy}
        </Button>
        {/* The page of a sealed group reads its key from the address, where the router doesn't put it in time. */}
        <ButtonLink reloadDocument={room.key !== undefined} to={roomPath(room.id, room.key)}>
          {words.open}
        </ButtonLink>
      </div>
      <div className={styles.actions}>
        <Button onClick={() => shareRoom(room.name, link)} size="s">
          <Icon name="share" /> {appText.rooms.share}
        </Button>
        <Button aria-haspopup="dialog" onClick={() => setQr(true)} size="s">
          <Icon name="qr" /> {appText.qr.open}
        </Button>
      </div>
      <NewRoomNotices hours={room.hours} />
      {qr && <RoomQrDialog link={link} name={room.name} onClose={() => setQr(false)} />}
    </TagForm>
  );
}
