import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { ApiFailure } from "@/shared/api/client";
import type { Asked, Done, Progress } from "./work";

const WorkLine = lazy(async () => ({ default: (await import("./WorkLine")).WorkLine }));

/** The work that a refusal asks for; undefined if it asks for none. */
function askedFor(failure: unknown): Asked | undefined {
  const refusal = failure instanceof ApiFailure ? failure.refusal : undefined;
  return refusal?.code === "work_needed" ? refusal.shield : undefined;
}

/**
 * Sends, and if work is asked for does it and sends again with it. While that takes longer, `line` says so. More can be
 * asked for than before, if others flood the inbox meanwhile.
 */
export function useWork() {
  const [progress, setProgress] = useState<Progress>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  async function withWork<Sent>(send: (work?: { work: Done }) => Promise<Sent>): Promise<Sent> {
    let work: { work: Done } | undefined;
    for (;;) {
      try {
        return await send(work);
      } catch (failure) {
        const asked = askedFor(failure);
        if (!asked) throw failure;
        work = { work: await done(asked) };
      }
    }
  }

  /** Only who is asked for work loads the code that does it. */
  async function done(asked: Asked): Promise<Done> {
    const { doWork } = await import("./work");
    stopping.current = new AbortController();
    try {
      return await doWork(asked, stopping.current.signal, setProgress);
    } finally {
      setProgress(undefined);
    }
  }

  const line: ReactNode = progress && (
    <Suspense>
      <WorkLine onStop={() => stopping.current?.abort()} progress={progress} />
    </Suspense>
  );
  return { withWork, line };
}
