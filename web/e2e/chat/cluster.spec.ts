/** Several servers behind a balancer: nobody in a group notices that theirs has died. */
import { startCluster } from "../support/cluster.ts";
import { createGroup, register } from "../support/people.ts";
import { type AppPage, expect, test as oneServer } from "../support/test.ts";

const test = oneServer.extend<{ cluster: Awaited<ReturnType<typeof startCluster>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from a pattern
  cluster: async ({}, use) => {
    const cluster = await startCluster();
    await use(cluster);
    await cluster.stop();
  },
  baseURL: ({ cluster }, use) => use(cluster.base),
});

test("the members' server is killed in mid-conversation, and nothing is missing or shown twice", async ({
  page,
  join,
  cluster,
}) => {
  const group = await createGroup(await register(cluster.base), "three servers");
  // The window is as high as the whole conversation, because rows that aren't in view aren't in the page.
  const viewport = { width: 390, height: 4000 };
  await page.setViewportSize(viewport);
  await page.enter(group);
  const all: AppPage[] = [page, await join(group, { viewport }), await join(group, { viewport })];
  const wanted: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    for (const [who, person] of all.entries()) {
      wanted.push(`${who} says ${round}`);
      await person.say(`${who} says ${round}`);
    }
    if (round === 5) await cluster.killTheirServer();
  }
  for (const person of all) {
    await expect(person.messages).toHaveCount(wanted.length, { timeout: 60_000 });
    await expect(person.getByText("Sending")).toHaveCount(0);
    await expect(person.button("Retry")).toHaveCount(0);
  }
  const shown = await page.messages.allTextContents();
  expect([...shown].sort()).toEqual([...wanted].sort());
  for (const person of all) await expect(person.messages).toHaveText(shown);
  for (const who of ["0 ", "1 ", "2 "]) {
    const own = (words: string) => words.startsWith(who);
    expect(shown.filter(own)).toEqual(wanted.filter(own));
  }
});
