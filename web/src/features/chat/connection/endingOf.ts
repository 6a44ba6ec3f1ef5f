import type { Said } from "@/shared/api/client";
import type { Ending } from "../model/chat";

const ENDINGS = {
  group_expired: "expired",
  group_deleted: "deleted",
  group_full: "full",
  group_locked: "locked",
  removed_from_group: "kicked",
  left_group: "left",
  not_a_member: "left",
} as const satisfies { [code in NonNullable<Said["code"]>]?: Ending };

/** Why a group is over, or not open to whoever asks; undefined where what the server says isn't about that. */
export function endingOf({ code }: Pick<Said, "code">): Ending | undefined {
  return code && code in ENDINGS ? ENDINGS[code as keyof typeof ENDINGS] : undefined;
}
