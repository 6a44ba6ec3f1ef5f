import { addressOf, type Schemas } from "@/shared/api/api";
import { ApiFailure, call, type Refusal } from "@/shared/api/client";
import { token } from "@/shared/session/session";
import type { Emoji, Ending } from "../model/chat";
import { seatHeaders } from "./ask";

export type RoomCalls = ReturnType<typeof roomCalls>;

type Query = Record<string, string | number | undefined>;

/** What a room's page asks of the server. Seats go by their cookie, the creator by the token; never both. */
export function roomCalls(id: string) {
  const address = (path: string, more: Record<string, string> = {}, query: Query = {}) =>
    addressOf(path, { id, ...more }, query);
  /** Lines before a place, or the newest. */
  const page = async (limit: number, before?: number) => {
    const answer = await call<Schemas["RoomShown"]>(address("/api/room/{id}", {}, { limit, before }), {
      seat: seatHeaders(),
    });
    return answer.data;
  };
  const creators = (method: "PATCH" | "DELETE", path: string, json?: unknown) =>
    call(path, { method, token: token() ?? "", ...(json === undefined ? {} : { json }) });
  return {
    page,
    /** Why the socket isn't let in, when that is for good. */
    refusal: async (): Promise<Ending | undefined> => {
      try {
        const { members } = await page(1);
        // Only a reader with a seat sees the members. Without one, a call to the socket's address says why.
        if (members.length === 0) await call(address("/api/room/{id}/socket"), { seat: seatHeaders() });
      } catch (failure) {
        if (!(failure instanceof ApiFailure)) throw failure;
        return closeReason(failure.refusal);
      }
      return undefined;
    },
    leave: () => call(address("/api/room/{id}/seat"), { method: "DELETE", seat: seatHeaders() }),
    // What is left is the creator's.
    lock: (locked: boolean) =>
      creators("PATCH", address("/api/room/{id}"), { locked } satisfies Schemas["RoomLock"]),
    kick: (emoji: Emoji, withMessages: boolean) =>
      creators(
        "DELETE",
        address(
          "/api/room/{id}/member/{emoji}",
          { emoji },
          { messages: withMessages ? "remove" : undefined },
        ),
      ),
    takeDown: (seq: number) =>
      creators("DELETE", address("/api/room/{id}/message/{seq}", { seq: String(seq) })),
    close: () => creators("DELETE", address("/api/room/{id}")),
  };
}

const ENDINGS = {
  group_expired: "expired",
  group_deleted: "deleted",
  group_full: "full",
  group_locked: "locked",
  removed_from_group: "kicked",
  left_group: "left",
  not_a_member: "left",
} as const satisfies { [code in NonNullable<Refusal["code"]>]?: Ending };

/** Why a group is over, or not open to whoever asks; undefined where what the server says isn't about that. */
export function closeReason({ code }: Pick<Refusal, "code">): Ending | undefined {
  return code && code in ENDINGS ? ENDINGS[code as keyof typeof ENDINGS] : undefined;
}
