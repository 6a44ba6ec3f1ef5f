import type { Screen } from "../screen";
import { onDemand } from "./onDemand";

const Opened = onDemand(isOpen, async () => (await import("./Opened")).Opened);
const InviteCode = onDemand(
  (screen) => screen.inviting,
  async () => (await import("./InviteCode")).InviteCode,
);

/** What lies over the screen for a while. */
export function Overlays() {
  return (
    <>
      <Opened />
      <InviteCode />
    </>
  );
}

function isOpen({ roomMenu, menu, seatMenu, viewing, chosen, asking, doomed }: Screen): boolean {
  return (
    chosen.length > 0 || [roomMenu, menu, seatMenu, viewing, asking, doomed].some((one) => one !== undefined)
  );
}
