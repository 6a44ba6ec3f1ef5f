import type { Schemas } from "@/shared/api/api";
import { fingerprintOf } from "@/shared/sealing/fingerprint";

export type Seal = NonNullable<Schemas["Recipient"]["seal"]>;

/** How the inbox is sealed, and the fingerprint of a key in the link through which the page was opened. */
export type Sealing = { seal: Seal | undefined; pinned: string | undefined };

/** Why nothing can be sent. */
export type Refused = "otherKey" | "notSealed" | "cant" | "cantPinned";

/** Whether a note is sealed; or goes open, since this browser can't seal it and the inbox takes that; or doesn't go. */
export type Standing = "sealed" | "open" | Refused;

/** What becomes of a note. Without a seal and without a key in the link nobody asks. */
export async function standingOf({ seal, pinned }: Sealing): Promise<Standing> {
  // Browsers can seal only on pages that came by TLS, or from the same device.
  const canSeal = globalThis.crypto?.subtle !== undefined;
  if (pinned !== undefined) {
    if (!seal) return "notSealed";
    if (!canSeal) return "cantPinned";
    return (await fingerprintOf(seal.key)) === pinned ? "sealed" : "otherKey";
  }
  if (canSeal) return "sealed";
  return seal?.open_notes ? "open" : "cant";
}
