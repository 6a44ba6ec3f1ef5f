import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** ANNON_DIST names another build than the one in dist. */
const DIST = process.env.ANNON_DIST ?? fileURLToPath(new URL("../dist", import.meta.url));

/** The files that are served, as paths under dist. */
export function files(): string[] {
  if (!existsSync(DIST)) throw new Error("dist is missing: run `npm run build` first");
  return readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter(
    (file) => !file.startsWith(".") && statSync(join(DIST, file)).isFile(),
  );
}

export function content(file: string): string {
  return readFileSync(join(DIST, file), "utf8");
}

export function bytes(file: string): Buffer {
  return readFileSync(join(DIST, file));
}

/** The size that is sent over the network: that of the brotli copy, if there is one. */
export function transferSize(file: string): number {
  const compressed = join(DIST, `${file}.br`);
  return statSync(existsSync(compressed) ? compressed : join(DIST, file)).size;
}
