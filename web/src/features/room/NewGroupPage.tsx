import { useState } from "react";
import { GroupCreated } from "./GroupCreated";
import { NewGroupForm } from "./NewGroupForm";
import type { NewRoom } from "./newRoom";

type Props = { onSignedOut: () => void };

export function NewGroupPage({ onSignedOut }: Props) {
  const [room, setRoom] = useState<NewRoom>();
  return room ? (
    <GroupCreated onAnother={() => setRoom(undefined)} room={room} />
  ) : (
    <NewGroupForm onCreated={setRoom} onSignedOut={onSignedOut} />
  );
}
