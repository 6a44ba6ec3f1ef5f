import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { preview } from "vite";
import { filesBelow, type Trace } from "./traces.ts";

const WEB = fileURLToPath(new URL("../..", import.meta.url));
export const BINARY = process.env.ANNON_BIN ?? join(WEB, "../target/debug/annon");
/** A folder of built pages, for a test with a binary that is older than they are: `ANNON_DIST=dist npm run e2e`. */
const DIST = process.env.ANNON_DIST;

export type Server = Awaited<ReturnType<typeof startServer>>;

/** Starts a server with an empty data folder. `base` is the address of its pages, `site` the one that it knows. */
export async function startServer(flags: string[] = [], site?: string) {
  const dataDir = mkdtempSync(join(tmpdir(), "annon-e2e-"));
  const apiPort = await freePort();
  const pagePort = DIST ? await freePort() : apiPort;
  const base = `http://127.0.0.1:${pagePort}`;
  const metrics = `127.0.0.1:${await freePort()}`;
  const log: Buffer[] = [];
  const options = {
    "--listen": `127.0.0.1:${apiPort}`,
    "--data-dir": dataDir,
    "--public-url": site ?? base,
    "--address-limits": "off",
    "--metrics-listen": metrics,
    // The tests send messages faster than people do.
    "--sends-per-second": "0",
  };
  async function start() {
    const child = spawn(BINARY, [...Object.entries(options).flat(), ...flags], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.on("data", (line: Buffer) => log.push(line));
    child.once("error", (error) => {
      throw error;
    });
    // The server also ends when this process fails.
    process.once("exit", () => child.kill("SIGKILL"));
    await untilReady(`http://127.0.0.1:${apiPort}/readyz`);
    return child;
  }
  let child = await start();
  const front = DIST ? await frontOf(DIST, apiPort, pagePort) : undefined;
  /** Ends the server, and waits until it has ended. It may have ended before. */
  function end(signal: NodeJS.Signals) {
    if (child.exitCode !== null || child.signalCode !== null) return undefined;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    return ended;
  }

  /** Runs an operator's command. Gives what it prints. */
  async function annon(...command: string[]) {
    return (await promisify(execFile)(BINARY, [...command, "--data-dir", dataDir])).stdout;
  }

  return {
    base,
    annon,
    /** The newest mail to a user. Without a mail server, the running server keeps mails for half an hour. */
    async mailTo(username: string) {
      const stdout = await annon("mail");
      const mails = stdout.split(/^--- .* ---$/m).map((mail) => mail.replace(/=\r?\n/g, ""));
      return mails.findLast((mail) => mail.includes(username)) ?? "";
    },
    /** The data folder's files, the log and the figures. */
    async traces(): Promise<Trace[]> {
      const figures = await (await fetch(`http://${metrics}/metrics`)).text();
      return [...filesBelow(dataDir), ["the log", Buffer.concat(log)], ["the figures", Buffer.from(figures)]];
    },
    /** Like a power failure: the server can't close its connections or finish its work. */
    kill: () => end("SIGKILL"),
    /** Starts the server again, with the same address and the same data folder. */
    async restart() {
      child = await start();
    },
    async stop() {
      await front?.close();
      await end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Serves built pages with the server's content security policy, and passes calls of the API on to the server. */
function frontOf(outDir: string, apiPort: number, port: number) {
  const proxy = { "/api": { target: `http://127.0.0.1:${apiPort}`, ws: true } };
  const options = { host: "127.0.0.1", port, strictPort: true, allowedHosts: true as const, proxy };
  return preview({ root: WEB, logLevel: "silent", build: { outDir }, preview: options });
}

export function freePort() {
  return new Promise<number>((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

export async function untilReady(address: string) {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${address} didn't become ready`);
}
