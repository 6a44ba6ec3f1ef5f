/** Runs demo.ts in the oldest Node that Annon is built with, which can't run TypeScript. */
import { runnerImport } from "vite";

await runnerImport(new URL("demo.ts", import.meta.url).pathname);
