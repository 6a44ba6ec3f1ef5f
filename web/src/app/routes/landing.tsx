import { pruneStoredRooms } from "@/features/room/storedRooms";
import { LandingPage } from "@/features/site/landing/LandingPage";
import { text } from "@/shared/text/text";
import { forgetRoom } from "../forgetRoom";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => text.landing.title };

/** Checks the rooms this browser remembers, without making the page wait for the answers. */
export function loader() {
  // Without the code for it, they wait for the next time.
  pruneStoredRooms(forgetRoom).catch(() => {});
  return null;
}

export function Component() {
  return <LandingPage />;
}
