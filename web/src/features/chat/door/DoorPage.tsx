import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Schemas } from "@/shared/api/api";
import { knockText } from "@/shared/text/knockText";
import { timeLeft } from "@/shared/text/timeLeft";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { ErrorBanner } from "@/shared/ui/form/ErrorBanner";
import { TagForm } from "@/shared/ui/form/Form";
import { useTimeLeft } from "@/shared/ui/useTimeLeft";
import styles from "./DoorPage.module.css";
import { type Visit, Visitor } from "./Visitor";

export type DoorProps = { room: Schemas["RoomData"]; onLookAgain: () => void };

const TONES = { before: "lilac", waiting: "sun", declined: "sky", lapsed: "sky" } as const;

/** The page of a visitor whom the group's creator has to let in. */
export function DoorPage({ room, onLookAgain }: DoorProps) {
  const [visitor] = useState(() => new Visitor(room.id, onLookAgain));
  const visit = useStore(visitor.store);
  const { stage, busy, why } = visit;
  const words = { before: knockText.door, ...knockText }[stage];
  const lead = typeof words.lead === "string" ? words.lead : words.lead(room.creator);

  useEffect(() => {
    visitor.start();
    return () => visitor.stop();
  }, [visitor]);

  return (
    <TagForm tone={TONES[stage]} words={{ heading: words.heading, small: words.small }}>
      <p className={styles.room} dir="auto">
        {room.name}
      </p>
      <p role="status">{lead}</p>
      {stage === "before" && <p className={styles.more}>{knockText.door.sees}</p>}
      {stage === "waiting" && <Waiting {...visit} />}
      <ErrorBanner onClose={() => visitor.store.setState({ why: undefined })} text={why ?? ""} />
      {stage !== "waiting" && (
        <div className={styles.submit}>
          <Button busy={busy} kind="hot" onClick={() => void visitor.knock()} size="l">
            {stage === "before" ? knockText.door.action : knockText.again}
          </Button>
        </div>
      )}
    </TagForm>
  );
}

function Waiting({ emoji = "", until = 0 }: Visit) {
  const words = knockText.waiting;
  const left = useTimeLeft(until);
  return (
    <>
      <p className={styles.you}>
        <EmojiDisc emoji={emoji} size="l" />
        <span>
          <strong>{words.emoji(emoji)}</strong>
          <span className={styles.left}>{timeLeft(left)}</span>
        </span>
      </p>
      <p className={styles.more}>{words.hint}</p>
    </>
  );
}
