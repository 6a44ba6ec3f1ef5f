import { useState } from "react";
import { generatePath, useLocation, useNavigate } from "react-router-dom";
import { copyAndTell } from "@/shared/clipboard";
import { paths } from "@/shared/contract/pages";
import { roomLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { TagForm } from "@/shared/ui/form/Form";
import { outcome } from "@/shared/ui/form/outcome";
import { Icon } from "@/shared/ui/icons";
import styles from "./NewGroup.module.css";
import { GroupNotices, NewGroupForm } from "./NewGroupForm";
import type { NewRoom } from "./newRoom";
import { RoomQrDialog, shareRoom } from "./shareRoom";

/** The form, and then the group's link. The link is kept in the history entry, so that it is there after going back. */
export function NewGroupPage() {
  const navigate = useNavigate();
  const room: NewRoom | undefined = useLocation().state?.made;
  const [isAnother, setAnother] = useState(false);

  function startAnother() {
    setAnother(true);
    navigate(paths.roomNew);
  }

  return room ? (
    <GroupCreated onAnother={startAnother} room={room} />
  ) : (
    <NewGroupForm
      isAnother={isAnother}
      onCreated={(made) => navigate(paths.roomNew, { replace: true, state: { made } })}
    />
  );
}

function GroupCreated({ room, onAnother }: { room: NewRoom; onAnother: () => void }) {
  const words = appText.newGroup.done;
  const link = roomLink(room.id);
  const [qr, setQr] = useState(false);
  return (
    <TagForm
      below={<Button onClick={onAnother}>{words.another}</Button>}
      tone="mint"
      words={{ heading: words.heading, small: appText.newGroup.small }}
    >
      <p className={styles.lead} {...outcome}>
        {words.lead(room.name, room.hours)}
      </p>
      <p className={styles.address} dir="ltr">
        {link.replace(/^https?:\/\//, "")}
      </p>
      <div className={styles.actions}>
        <Button kind="hot" onClick={() => copyAndTell(link, appText.groups.copied)}>
          <Icon name="copy" /> {words.copy}
        </Button>
        <ButtonLink to={generatePath(paths.room, { roomId: room.id })}>{words.open}</ButtonLink>
      </div>
      <div className={styles.actions}>
        <Button onClick={() => shareRoom(room.name, link)} size="s">
          <Icon name="share" /> {appText.groups.share}
        </Button>
        <Button aria-haspopup="dialog" onClick={() => setQr(true)} size="s">
          <Icon name="qr" /> {appText.qr.open}
        </Button>
      </div>
      <GroupNotices hours={room.hours} />
      {qr && <RoomQrDialog link={link} name={room.name} onClose={() => setQr(false)} />}
    </TagForm>
  );
}
