import { useState } from "react";
import { generatePath } from "react-router-dom";
import { copyAndTell } from "@/shared/clipboard";
import { roomLink } from "@/shared/links";
import { paths } from "@/shared/paths";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { ButtonLink } from "@/shared/ui/ButtonLink";
import { outcome } from "@/shared/ui/form/outcome";
import { TagForm } from "@/shared/ui/form/TagForm";
import { Icon } from "@/shared/ui/icons";
import { GroupNotices } from "./GroupNotices";
import { RoomQrDialog, shareRoom } from "./handOn";
import styles from "./NewGroup.module.css";
import type { NewRoom } from "./newRoom";

type Props = { room: NewRoom; onAnother: () => void };

export function GroupCreated({ room, onAnother }: Props) {
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
