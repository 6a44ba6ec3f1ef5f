/** `make demo` fills a server of its own, and leaves nothing behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { CELLIST, GOING_ON, SAID, TALK } from "../demo/script.ts";
import { PASSWORD } from "../support/people.ts";
import { test as base, expect } from "../support/test.ts";

const START = fileURLToPath(new URL("../demo/start.mjs", import.meta.url));

/** Starts the demo. Gives the links that it prints, by what it calls them, and what ends it. */
async function startDemo() {
  const child = spawn(process.execPath, [START], { stdio: ["ignore", "pipe", "inherit"] });
  const links = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name, link] = /^ {2}(\S.*?) +(http\S+)$/.exec(line) ?? [];
    if (name) links.set(name, link);
    if (line.startsWith("Open the group")) break;
  }
  return {
    to(name: string) {
      const link = links.get(name);
      if (!link) throw new Error(`the demo has no link to ${name}`);
      return link;
    },
    async end() {
      if (child.exitCode !== null) return;
      child.kill("SIGINT");
      await once(child, "exit");
    },
  };
}

const test = base.extend<{ demo: Awaited<ReturnType<typeof startDemo>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from a pattern
  demo: async ({}, use) => {
    const demo = await startDemo();
    await use(demo);
    await demo.end();
  },
});

test("the demo shows pages, a conversation, a group that talks on and an inbox, until it ends", async ({
  page,
  visitor,
  demo,
}) => {
  await page.goto(demo.to("a visitor's page"));
  await page.sees(CELLIST.page.line);
  for (const [, answer] of CELLIST.published) await page.sees(answer);
  await page.goto(demo.to("a public answer"));
  await page.sees(CELLIST.published[1][1]);
  await page.goto(demo.to("a conversation"));
  for (const [, words] of TALK.lines) await expect(page.line(words)).toBeVisible();
  await page.goto(demo.to("one that asks first"));
  await expect(page.button("Knock")).toBeVisible();

  await page.goto(demo.to("a lively group"));
  await page.canTalk();
  await expect(page.line(SAID[SAID.length - 1].words)).toBeVisible();
  await expect(page.line(GOING_ON[0][1])).toBeVisible();

  const owner = await visitor();
  await owner.goto(demo.to("the inbox"));
  await owner.signInByForm(CELLIST.username, PASSWORD);
  await owner.tab(/^Inbox/).click();
  await owner.sees(CELLIST.last);

  await demo.end();
  await expect(fetch(demo.to("the inbox"))).rejects.toThrow();
});
