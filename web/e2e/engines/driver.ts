/** What both drivers need: programs that end, and the hand's moves as WebDriver and WebDriver BiDi both write them. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const KEYS: Record<string, string> = { Enter: "\uE007", Escape: "\uE00C", Tab: "\uE004" };

export function clickAt({ x, y }: { x: number; y: number }) {
  const actions = [
    { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ];
  return [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }];
}

export function strokes(keys: Iterable<string>) {
  const actions = [...keys].flatMap((key) =>
    ["keyDown", "keyUp"].map((type) => ({ type, value: KEYS[key] ?? key })),
  );
  return [{ type: "key", id: "keyboard", actions }];
}

/** Programs and their folder, all of which are gone when `stop` is done, or this process. */
export function programs() {
  const folder = mkdtempSync(join(tmpdir(), "annon-engine-"));
  const running: ChildProcess[] = [];
  process.once("exit", () => {
    for (const child of running) kill(child, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    /** In a process group of its own, so that the browsers that a driver starts end with it. */
    async start(command: string, args: string[], options: SpawnOptions) {
      const child = spawn(command, args, { detached: true, ...options });
      running.push(child);
      await once(child, "spawn");
      return child;
    },
    /** The last that was started ends first: a browser before its display. */
    async stop() {
      for (const child of running.splice(0).reverse()) {
        if (child.exitCode === null && child.signalCode === null) {
          const gone = once(child, "exit");
          const late = setTimeout(() => kill(child, "SIGKILL"), 5000);
          kill(child, "SIGTERM");
          await gone;
          clearTimeout(late);
        }
        kill(child, "SIGKILL");
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The group is gone already where the last of it has ended by itself. */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals) {
  try {
    process.kill(-(pid ?? 0), signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
