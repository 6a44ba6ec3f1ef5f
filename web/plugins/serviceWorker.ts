import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

export const WORKER = "sw";
const WORKER_FILE = `${WORKER}.js`;

/** The files without a hash in their names that a page needs also without a network. */
const LASTING = ["favicon.svg", "manifest.webmanifest"];

/** Tells the service worker the files of its version. The worker itself is an entry of the build. */
export function serviceWorker(): Plugin {
  let root = "";
  let publicDir = "";
  return {
    name: "service-worker",
    apply: (_, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    configResolved(config) {
      ({ root, publicDir } = config);
    },
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const worker = bundle[WORKER_FILE];
        if (worker?.type !== "chunk") throw new Error(`the build has no ${WORKER_FILE}`);
        if (worker.imports.length > 0) throw new Error(`${WORKER_FILE} has to stand alone`);
        // Their names say what is in them, and together with its source what is in the page.
        const hashed = Object.keys(bundle).filter((file) => file.startsWith("assets/"));
        const version = createHash("sha256").update(hashed.sort().join());
        version.update(readFileSync(join(root, "index.html")));
        for (const file of LASTING) version.update(readFileSync(join(publicDir, file)));
        const build = {
          version: version.digest("hex").slice(0, 16),
          files: ["/index.html", ...[...LASTING, ...hashed].map((file) => `/${file}`)],
        };
        worker.code = `const BUILD=${JSON.stringify(build)};${worker.code}`;
      },
    },
  };
}
