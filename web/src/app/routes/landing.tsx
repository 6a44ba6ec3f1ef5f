import { useLoaderData } from "react-router-dom";
import { pruneKeptRooms } from "@/features/room/pruneKeptRooms";
import { LandingPage } from "@/features/site/landing/LandingPage";
import { remembersAny } from "@/shared/conversations/kept";
import { keptRooms } from "@/shared/keptRooms";
import { text } from "@/shared/text/text";
import { forgetRoom } from "../forgetRoom";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => text.landing.title };

/**
 * Checks the rooms that this browser remembers. The page does not wait for the answers. If there are rooms or
 * conversations it waits for the code of their lists, so that nothing moves when the lists are drawn.
 */
export async function loader() {
  // If the code can't be loaded, the check waits for the next visit.
  const pruned = pruneKeptRooms(forgetRoom).catch(() => {});
  const [rooms, notes] = await Promise.all([
    keptRooms().length > 0 && import("@/features/room/JoinedRooms").catch(() => undefined),
    remembersAny() && import("@/features/note/Remembered").catch(() => undefined),
  ]);
  if (!rooms && !notes) return undefined;
  return { pruned, ...(rooms || {}), ...(notes || {}) };
}

export function Component() {
  // React Router's own type assumes that a loader's result was serialised.
  const list = useLoaderData() as Awaited<ReturnType<typeof loader>>;
  if (!list) return <LandingPage joined={undefined} />;
  const { pruned, JoinedRooms, Remembered } = list;
  return (
    <LandingPage
      joined={
        <>
          {Remembered && <Remembered />}
          {JoinedRooms && <JoinedRooms onForget={forgetRoom} pruned={pruned} />}
        </>
      }
    />
  );
}
