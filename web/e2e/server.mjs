import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { preview } from "vite";

export const WEB = fileURLToPath(new URL("..", import.meta.url));

/** ANNON_FRONT=off: the binary serves the pages itself, and nothing stands in front of it. */
const SERVES_PAGES = process.env.ANNON_FRONT === "off";

/** A server of its own with an empty data folder, and the address its pages are at. */
export async function startServer(binary = process.env.ANNON_BIN, flags = []) {
  if (!binary) throw new Error("ANNON_BIN names no server binary");
  const dataDir = mkdtempSync(join(tmpdir(), "annon-e2e-"));
  const apiPort = await freePort();
  const pagePort = SERVES_PAGES ? apiPort : await freePort();
  const base = `http://127.0.0.1:${pagePort}`;
  const ready = () => untilReady(`http://127.0.0.1:${apiPort}/readyz`);
  const start = () =>
    spawn(
      binary,
      [
        "--listen",
        `127.0.0.1:${apiPort}`,
        "--data-dir",
        dataDir,
        "--public-url",
        base,
        "--address-limits",
        "off",
        "--metrics-listen",
        "off",
        ...flags,
      ],
      { stdio: "ignore" },
    );
  let child = start();
  // Whatever goes wrong here, no server is left behind.
  process.once("exit", () => child.kill("SIGKILL"));
  await ready();
  const front = SERVES_PAGES ? undefined : await frontOf(apiPort, pagePort);
  /** Waits until it is gone; it may be already. */
  function end(signal) {
    if (child.exitCode !== null || child.signalCode !== null) return undefined;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    return ended;
  }

  return {
    base,
    servesPages: SERVES_PAGES,
    /** The mails of the last half hour, oldest first: without a mail server the running one keeps them. */
    mails: async () => {
      const { stdout } = await promisify(execFile)(binary, ["mail", "--data-dir", dataDir]);
      return stdout.split(/^--- .* ---$/m).slice(1);
    },
    /** The power fails: nobody is told, nothing is put away. */
    kill: () => end("SIGKILL"),
    /** On the same address, with what is on the disk. */
    async restart() {
      child = start();
      await ready();
    },
    async stop() {
      await front?.close();
      await end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The built files (ANNON_DIST names others than dist) under the server's policy, with the API behind them. */
function frontOf(apiPort, port) {
  return preview({
    root: WEB,
    logLevel: "silent",
    build: { outDir: process.env.ANNON_DIST ?? "dist" },
    preview: {
      host: "127.0.0.1",
      port,
      strictPort: true,
      proxy: { "/api": { target: `http://127.0.0.1:${apiPort}`, ws: true } },
    },
  });
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export async function untilReady(address) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${address} didn't become ready`);
}
