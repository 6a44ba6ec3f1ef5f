import type { NotifyFrame } from "../model/frames";

/** A notice as the server sends it, by its code and whose seat it is about: "🦊 joined", "🦊 removed", "locked". */
export function noticeFrame(seq: number, told: string, time = "10:00:00.000"): NotifyFrame {
  const [code, emoji] = told.split(" ").reverse() as [NotifyFrame["code"], string?];
  return { event: "event.notify", code, ...(emoji && { emoji }), message: `says: ${told}`, time, seq };
}
