import { execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BINARY } from "./server.ts";
import { filesBelow } from "./traces.ts";

const SCRIPT = fileURLToPath(new URL("../../../scripts/cluster.sh", import.meta.url));
const NODES = ["one", "two", "three"];

/** Starts what `make cluster` starts: three servers behind a balancer. `base` is the balancer's address. */
export async function startCluster() {
  const dataDir = mkdtempSync(join(tmpdir(), "annon-e2e-cluster-"));
  // The servers take the ports behind it. The system itself gives out only higher ones.
  const port = 30_000 + 10 * randomInt(250);
  const flags = ["--port", String(port), "--data", dataDir];
  const script = spawn("bash", [SCRIPT, ...flags], {
    env: { ...process.env, ANNON_BIN: BINARY },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => script.once("exit", resolve));
  process.once("exit", () => script.kill("SIGTERM"));
  let said = "";
  await new Promise<void>((resolve, reject) => {
    script.stdout.on("data", (chunk) => {
      said += chunk;
      if (said.includes("Annon is at")) resolve();
    });
    script.once("exit", () => reject(new Error(`the cluster has ended: ${said}`)));
  });

  async function groupsAt(node: string) {
    const { stdout } = await promisify(execFile)(BINARY, ["stats", "--data-dir", join(dataDir, node)]);
    return Number(/groups open now\s+(\d+)/.exec(stdout)?.[1]);
  }

  return {
    base: `http://127.0.0.1:${port}`,
    /** The files of the databases, with what they are about to write, those of the servers, and all logs. */
    traces: async () => filesBelow(dataDir),
    /** Kills the one server that has groups open. */
    async killTheirServer() {
      const groups = await Promise.all(NODES.map(groupsAt));
      const [node, ...others] = NODES.filter((_, at) => (groups[at] ?? 0) > 0);
      if (node === undefined || others.length > 0) throw new Error(`groups are open at ${groups}`);
      const pid = new RegExp(`${node}\\s+process (\\d+)`).exec(said)?.[1];
      process.kill(Number(pid), "SIGKILL");
    },
    async stop() {
      script.kill("SIGTERM");
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
