import { useState } from "react";
import { GroupCreated } from "./GroupCreated";
import { NewGroupForm } from "./NewGroupForm";
import type { NewRoom } from "./newRoom";

type Props = { onSignedOut: () => void };

export function NewGroupPage({ onSignedOut }: Props) {
  const [room, setRoom] = useState<NewRoom>();
  const [isAnother, setAnother] = useState(false);

  function startAnother() {
    setRoom(undefined);
    setAnother(true);
  }

  return room ? (
    <GroupCreated onAnother={startAnother} room={room} />
  ) : (
    <NewGroupForm isAnother={isAnother} onCreated={setRoom} onSignedOut={onSignedOut} />
  );
}
