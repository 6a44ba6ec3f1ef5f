import { create } from "zustand";
import { api, type Schemas } from "@/shared/api/api";
import { isRefusedWith } from "@/shared/api/client";
import { showError } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { failureText } from "@/shared/text/failureText";

/** Somebody who waits, and until when by this device's clock. */
export type Knock = { knock: string; emoji: string; until: number };

/** Who waits at a group's door, whether newcomers knock at all, and up to which place of its log that is known. */
type AtDoor = { knocks: Knock[]; asksFirst: boolean; seq: number };

/** Who waits at each group of the account, as far as it was asked for or told. */
export const useKnocks = create<Record<string, AtDoor>>(() => ({}));

const NOBODY: Knock[] = [];

export function knocksAt(id: string) {
  return (doors: Record<string, AtDoor>) => doors[id]?.knocks ?? NOBODY;
}

/** A frame of the inbox's socket. Returns those who were not known to wait. */
export function hearKnocks(frame: Partial<Schemas["KnocksFrame"] & Schemas["OwnRoomFrame"]>): Knock[] {
  const { event, id, knocks, ask_first = true, seq, standing } = frame;
  if (event === "event.room" && id !== undefined && !standing) forgetKnocks(id);
  return event === "event.knocks" && id && knocks && seq !== undefined
    ? put(id, knocks, ask_first, seq)
    : NOBODY;
}

/** Asks who waits. Without an answer the list stays as it is. */
export async function loadKnocks(id: string) {
  const asked = api("get", "/api/room/{id}/knocks", { params: { id }, token: token() ?? "" });
  const found = await asked.catch(() => undefined);
  if (found) put(id, found.data, found.ask_first, found.seq);
}

/** Admits or declines somebody. A failure is shown as a notice. */
export async function answerKnock(id: string, knock: string, admit: boolean) {
  try {
    const params = { id, knock };
    await api("post", "/api/room/{id}/knock/{knock}", { params, token: token() ?? "", json: { admit } });
    drop(id, knock);
  } catch (failure) {
    showError(failureText(failure));
    // Somebody has answered it in another window, or it has lapsed.
    if (isRefusedWith(failure, "no_such_knock")) drop(id, knock);
  }
}

export function drop(id: string, knock: string) {
  useKnocks.setState((doors) => {
    const door = doors[id];
    return door ? { [id]: { ...door, knocks: door.knocks.filter((one) => one.knock !== knock) } } : doors;
  });
}

export function forgetKnocks(id?: string) {
  const left = Object.entries(useKnocks.getState()).filter(([other]) => id !== undefined && other !== id);
  useKnocks.setState(Object.fromEntries(left), true);
}

/** What comes with a smaller `seq` is older: other servers may tell of it later. */
function put(id: string, waiting: Schemas["WaitingKnock"][], asksFirst: boolean, seq: number): Knock[] {
  const before = useKnocks.getState()[id];
  if (before && before.seq > seq) return NOBODY;
  const now = Date.now();
  const knocks = waiting.map(({ knock, emoji, seconds_left }) => {
    const known = before?.knocks.find((one) => one.knock === knock);
    return known ?? { knock, emoji, until: now + seconds_left * 1000 };
  });
  useKnocks.setState({ [id]: { knocks, asksFirst, seq } });
  return knocks.filter((knock) => !before?.knocks.includes(knock));
}
