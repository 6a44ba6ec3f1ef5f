/** Several servers behind a balancer: nobody in a group notices that theirs has died. */
import { startCluster } from "../support/cluster.ts";
import { converse } from "../support/conversation.ts";
import { createGroup, register } from "../support/people.ts";
import { expect, test as oneServer } from "../support/test.ts";

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
  const viewport = { width: 390, height: 4000 };
  await page.setViewportSize(viewport);
  await page.enter(group);
  const all = [page, await join(group, { viewport }), await join(group, { viewport })];
  await converse(all, (round) => (round === 5 ? cluster.killTheirServer() : undefined));
  for (const person of all) await expect(person.button("Retry")).toHaveCount(0);
});
