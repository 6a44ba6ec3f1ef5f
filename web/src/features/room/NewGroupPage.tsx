import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/shared/paths";
import { GroupCreated } from "./GroupCreated";
import { NewGroupForm } from "./NewGroupForm";
import type { NewRoom } from "./newRoom";

/** The form, and then the group's link, which stays with this page's history entry: one may come back for it. */
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
