import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Programs and their folder, all of which are gone when `stop` is done, or this process. */
export function programs() {
  const folder = mkdtempSync(join(tmpdir(), "annon-engine-"));
  const running = [];
  process.once("exit", () => {
    for (const child of running) kill(child, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    /** In a process group of its own, so that the browsers that a driver starts end with it. */
    start(command, args, env, stdio) {
      const child = spawn(command, args, { env: { ...process.env, ...env }, stdio, detached: true });
      running.push(child);
      return new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("spawn", () => resolve(child));
      });
    },
    /** The last that was started ends first: a browser before its display. */
    async stop() {
      for (const child of running.splice(0).reverse()) await ended(child);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function kill(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

async function ended(child) {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    const late = setTimeout(() => kill(child, "SIGKILL"), 5000);
    kill(child, "SIGTERM");
    await gone;
    clearTimeout(late);
  }
  kill(child, "SIGKILL");
}
