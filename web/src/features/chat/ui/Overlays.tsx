import { onDemand } from "./onDemand";

const RoomMenu = onDemand(
  (screen) => screen.roomMenu !== undefined,
  async () => (await import("./RoomMenu")).RoomMenu,
);
const MessageMenu = onDemand(
  (screen) => screen.menu !== undefined,
  async () => (await import("./MessageMenu")).MessageMenu,
);
const PreviewDialog = onDemand(
  (screen) => screen.chosen.length > 0,
  async () => (await import("./PreviewDialog")).PreviewDialog,
);
const Viewer = onDemand(
  (screen) => screen.viewing !== undefined,
  async () => (await import("./Viewer")).Viewer,
);
const KickDialog = onDemand(
  (screen) => screen.doomed !== undefined,
  async () => (await import("./KickDialog")).KickDialog,
);
const Question = onDemand(
  (screen) => screen.asking !== undefined,
  async () => (await import("./Question")).Question,
);
const InviteCode = onDemand(
  (screen) => screen.inviting,
  async () => (await import("./InviteCode")).InviteCode,
);

/** What lies over the screen for a while. */
export function Overlays() {
  return (
    <>
      <RoomMenu />
      <MessageMenu />
      <PreviewDialog />
      <Viewer />
      <KickDialog />
      <Question />
      <InviteCode />
    </>
  );
}
