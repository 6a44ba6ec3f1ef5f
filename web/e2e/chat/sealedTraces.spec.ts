/** A sealed group leaves none of its words, pictures, names and keys on a server's disk, in a database, a log or a figure. */
import { readFileSync } from "node:fs";
import { startCluster } from "../support/cluster.ts";
import { PICTURE } from "../support/page.ts";
import { register, signedIn } from "../support/people.ts";
import { type Server, startServer } from "../support/server.ts";
import { type AppPage, test as base, expect } from "../support/test.ts";
import type { Trace } from "../support/traces.ts";

const NAME = "marked midnight";
const SAID = ["the marked words", "a marked answer", "a marked caption"];
/** So many bytes of a picture are nowhere by chance. */
const PART = 48;

declare global {
  interface Window {
    /** What the page has made an address for. */
    opened?: Blob[];
  }
}

type Given = { cluster: Awaited<ReturnType<typeof startCluster>> };
const test = base.extend<Given, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from a pattern
    async ({}, use) => {
      const server = await startServer(["--log-level", "debug"]);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from a pattern
  cluster: async ({}, use) => {
    const cluster = await startCluster();
    await use(cluster);
    await cluster.stop();
  },
});

/** Makes a sealed group, and talks there with another member. Gives what nobody else may find. */
async function talks(page: AppPage, other: AppPage): Promise<Trace[]> {
  const link = await page.makeSealed(NAME);
  const key = link.split("#")[1] ?? "";
  for (const one of [page, other]) {
    await one.addInitScript(() => {
      const make = URL.createObjectURL;
      window.opened = [];
      URL.createObjectURL = (blob: Blob) => {
        window.opened?.push(blob);
        return make(blob);
      };
    });
    await one.goto(link);
    await one.canTalk();
  }
  const [words = "", answer = "", caption = ""] = SAID;
  await page.sends(words);
  await other.answerTo(words);
  await other.sends(answer);
  await page.showPictures([PICTURE], caption);
  await other.isWhole(caption);
  // Bytes of the picture as browsers have it, before it is sealed and after it was opened.
  const shown = await other.evaluate(async () => {
    const bytes = new Uint8Array((await window.opened?.at(-1)?.arrayBuffer()) ?? new ArrayBuffer());
    return [...bytes.slice(bytes.length / 2)];
  });
  expect(shown.length).toBeGreaterThan(PART);
  const plain = [key, NAME, ...SAID].map((secret): Trace => [secret, Buffer.from(secret)]);
  return [
    ...plain,
    ["the key's bytes", Buffer.from(key, "base64url")],
    ["a part of the picture", Buffer.from(shown.slice(0, PART))],
  ];
}

function expectSilent(traces: Trace[], secrets: Trace[]) {
  const found = traces.flatMap(([where, bytes]) =>
    secrets.filter(([, secret]) => bytes.includes(secret)).map(([what]) => `${where} has ${what}`),
  );
  expect(found).toEqual([]);
}

test("nothing of it is in the data folder, a backup, the log and the figures", async ({
  page,
  account: _,
  server,
  visitor,
}, info) => {
  const secrets = await talks(page, await visitor());
  const backup = info.outputPath("backup");
  await server.annon("backup", backup);
  const traces = [...(await server.traces()), ["the backup", readFileSync(backup)] satisfies Trace];
  const sizes = Object.fromEntries(traces.map(([where, { length }]) => [where, length]));
  for (const where of ["the log", "the figures", "the backup"])
    expect(sizes[where], where).toBeGreaterThan(1000);
  expectSilent(traces, secrets);
});

test.describe("with three servers on PostgreSQL", () => {
  test.use({ baseURL: ({ cluster }, use) => use(cluster.base) });

  test("nothing of it is in the databases' files, those of the servers, and the logs", async ({
    page,
    context,
    cluster,
    visitor,
  }) => {
    await signedIn(context, await register(cluster.base));
    const secrets = await talks(page, await visitor());
    const traces = await cluster.traces();
    expect(traces.filter(([where]) => where.includes("/pg_wal/")).length).toBeGreaterThan(0);
    expectSilent(traces, secrets);
  });
});
