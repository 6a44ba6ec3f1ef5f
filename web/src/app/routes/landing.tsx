import { type ComponentType, lazy } from "react";
import { pruneStoredRooms } from "@/features/room/storedRooms";
import { LandingPage } from "@/features/site/landing/LandingPage";
import { text } from "@/shared/text/text";
import { forgetRoom } from "../forgetRoom";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => text.landing.title };

const inbox = () => import("@/features/inbox/sample/samples");
const NotesSample = sample(async () => (await inbox()).NotesSample);
const CaptureSample = sample(async () => (await inbox()).CaptureSample);
const GroupSample = sample(async () => (await import("@/features/chat/sample/GroupSample")).GroupSample);

/** Without the code for it, its place stays empty. */
function sample(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await load().catch(() => () => null) }));
}

/** Checks the rooms this browser remembers, without making the page wait for the answers. */
export function loader() {
  // Without the code for it, they wait for the next time.
  pruneStoredRooms(forgetRoom).catch(() => {});
  return null;
}

export function Component() {
  return <LandingPage capture={<CaptureSample />} group={<GroupSample />} notes={<NotesSample />} />;
}
