import { useLoaderData } from "react-router-dom";
import { LandingPage } from "@/features/site/landing/LandingPage";
import { keptRooms, pruneKeptRooms } from "@/shared/keptRooms";
import { text } from "@/shared/text/text";
import { forgetRoom } from "../forgetRoom";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => text.landing.title };

/**
 * Checks the rooms that this browser remembers. The page does not wait for the answers. If there are rooms it waits for
 * the code of their list, so that nothing moves when the list is drawn.
 */
export async function loader() {
  // If the code can't be loaded, the check waits for the next visit.
  const pruned = pruneKeptRooms(forgetRoom).catch(() => {});
  if (keptRooms().length === 0) return undefined;
  const list = await import("@/features/room/JoinedRooms").catch(() => undefined);
  return list && { pruned, JoinedRooms: list.JoinedRooms };
}

export function Component() {
  // React Router's own type assumes that a loader's result was serialised.
  const list = useLoaderData() as Awaited<ReturnType<typeof loader>>;
  return <LandingPage joined={list && <list.JoinedRooms onForget={forgetRoom} pruned={list.pruned} />} />;
}
