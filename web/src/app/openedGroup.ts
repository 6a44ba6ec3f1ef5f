import { type Opened, openRoom } from "@/features/chat/connection/openRoom";
import type { CameFrom } from "@/features/site/pages/keptFrom";
import { keptName } from "@/shared/keptRooms";
import { isRoomId } from "@/shared/links";

/** What a group's link led to. Each has a number of its own. */
export type OpenedGroup = (Opened | { kind: "missing" }) & { load: number; came: CameFrom };

let loads = 0;
let held: (() => OpenedGroup) | undefined;

/** Takes a seat and fetches the messages. Without a seat another page says why. */
export async function openGroup(id: string): Promise<OpenedGroup> {
  if (held) {
    const give = held;
    held = undefined;
    return give();
  }
  // The device forgets a room that is over.
  const name = keptName(id);
  // The link is mistyped: nobody is asked for it.
  const opened = isRoomId(id) ? await openRoom(id) : ({ kind: "missing" } as const);
  loads += 1;
  return { ...opened, load: loads, came: { room: id, name } };
}

/** The next one who opens a group gets this, and the server isn't asked again. What it throws is shown as an error. */
export function holdOpened(give: () => OpenedGroup) {
  held = give;
}
