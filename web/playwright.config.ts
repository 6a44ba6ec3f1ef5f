import { availableParallelism } from "node:os";
import { defineConfig, type Project } from "@playwright/test";
import { CHROMIUM, CHROMIUM_ARGS } from "./e2e/support/chromium.ts";

const PROJECTS: Project[] = [
  { name: "journeys", testMatch: "**/*.spec.ts" },
  { name: "engines", testMatch: "engines/{walk,looks}.ts" },
  { name: "measure", testMatch: "measure/*.ts", timeout: 3_600_000, workers: 1, use: { trace: "off" } },
  { name: "screens", testMatch: "screens/photos.ts", use: { trace: "off" } },
  { name: "shots", testMatch: "demo/shots.ts", use: { trace: "off" } },
];

export default defineConfig({
  testDir: "e2e",
  fullyParallel: true,
  forbidOnly: true,
  // A test here mostly waits, so there could be more. But the server's tests may run at the same time.
  workers: availableParallelism(),
  // A test must not fail only because the machine is busy with something else.
  timeout: 120_000,
  // A busy machine can also interrupt a gesture. A test that passes only at the second try is listed as flaky: fix it.
  retries: 1,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    viewport: { width: 390, height: 844 },
    locale: "en-GB",
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    trace: { mode: "on-first-retry", screenshots: false, snapshots: true },
    launchOptions: {
      executablePath: CHROMIUM,
      args: CHROMIUM_ARGS,
    },
  },
  projects: PROJECTS.map((project) => ({ ...project, outputDir: `e2e/results/${project.name}` })),
});
