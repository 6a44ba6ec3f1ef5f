import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Formats that shrink. Pictures and woff2 are compressed already. */
const COMPRESSIBLE = /\.(css|html|js|json|svg|txt|webmanifest)$/;

/**
 * Writes `name.br` and `name.gz` beside every compressible file of the build, so that the server never
 * spends time on compression. A compressed copy that isn't smaller isn't written.
 */
export function precompress(): Plugin {
  let outDir = "";
  return {
    name: "precompress",
    apply: (_, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    configResolved(config) {
      outDir = config.build.outDir;
    },
    // After every other plugin has written: the files of public/ are in the folder by then, too.
    closeBundle: {
      order: "post",
      handler() {
        for (const entry of readdirSync(outDir, { recursive: true, encoding: "utf8" })) {
          if (COMPRESSIBLE.test(entry) && !entry.startsWith(".")) compress(join(outDir, entry));
        }
      },
    },
  };
}

function compress(file: string) {
  const plain = readFileSync(file);
  const brotli = brotliCompressSync(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
  const gzip = gzipSync(plain, { level: 9 });
  if (brotli.length < plain.length) writeFileSync(`${file}.br`, brotli);
  if (gzip.length < plain.length) writeFileSync(`${file}.gz`, gzip);
}
