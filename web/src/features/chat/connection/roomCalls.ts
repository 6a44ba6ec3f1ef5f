import { api, type Schemas } from "@/shared/api/api";
import { ApiFailure, type Refusal } from "@/shared/api/client";
import { token } from "@/shared/session/session";
import type { Emoji, Ending } from "../model/chat";
import { seatHeaders } from "./ask";

export type RoomCalls = ReturnType<typeof roomCalls>;

/** The calls of a room's page. A member's send the seat's cookie, the creator's send the token; none sends both. */
export function roomCalls(id: string) {
  const params = { id };
  const seat = () => ({ params, seat: seatHeaders() });
  const creator = () => ({ params, token: token() ?? "" });
  const page = async (limit: number, before?: number) =>
    (await api("get", "/api/room/{id}", { ...seat(), query: { limit, before } })).data;
  return {
    page,
    /** Why the server refuses the socket, if the room is over for this visitor. During a pause its words are shown. */
    refusal: async (): Promise<Ending | undefined> => {
      try {
        await api("get", "/api/room/{id}/socket", seat());
      } catch (failure) {
        if (!(failure instanceof ApiFailure)) throw failure;
        const { code, message } = failure.refusal;
        if (code === "paused_for_maintenance") document.documentElement.dataset.paused = message;
        return closeReason(failure.refusal);
      }
      return undefined;
    },
    leave: () => api("delete", "/api/room/{id}/seat", seat()),
    setUp: (json: Schemas["RoomDoor"]) => api("patch", "/api/room/{id}", { ...creator(), json }),
    newLink: async () => (await api("post", "/api/room/{id}/link", creator())).id,
    kick: (emoji: Emoji, withMessages: boolean) =>
      api("delete", "/api/room/{id}/member/{emoji}", {
        token: token() ?? "",
        params: { id, emoji },
        query: { messages: withMessages ? "remove" : undefined },
      }),
    retract: (seq: number) =>
      api("delete", "/api/room/{id}/message/{seq}", { token: token() ?? "", params: { id, seq } }),
    close: () => api("delete", "/api/room/{id}", creator()),
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

/** Why the group is over, or refuses this visitor; undefined for any other refusal. */
export function closeReason({ code }: Pick<Refusal, "code">): Ending | undefined {
  return code && code in ENDINGS ? ENDINGS[code as keyof typeof ENDINGS] : undefined;
}
