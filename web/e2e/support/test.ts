/** What a test can ask for: a server, people, groups and their members. */
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from "@playwright/test";
import { type GroupSteps, groupSteps } from "./group.ts";
import { type Member, takeSeat } from "./members.ts";
import { type PageSteps, pageSteps } from "./page.ts";
import { createGroup, type Group, type Person, register, signedIn } from "./people.ts";
import { type Server, startServer } from "./server.ts";

/** A page of a browser, and the steps that people take on it. */
export type AppPage = Page & PageSteps & GroupSteps;

export function withSteps(page: Page): AppPage {
  const able = Object.assign(page, pageSteps(page));
  return Object.assign(able, groupSteps(able));
}

interface Given {
  page: AppPage;
  /** Somebody with an account. */
  person: Person;
  /** Somebody with an account, who is signed in with `page`. */
  account: Person;
  /** Somebody else's group, which nobody has entered. */
  group: Group;
  newGroup(name: string): Promise<Group>;
  /** Another browser, which has opened no page yet. */
  visitor(options?: BrowserContextOptions): Promise<AppPage>;
  /** Another browser, whose user has entered the group. */
  join(group: Group, options?: BrowserContextOptions): Promise<AppPage>;
  /** `page`, after its user has entered `group`. */
  me: AppPage;
  /** The browser of another member. */
  other: AppPage;
  /** A member without a browser. */
  member: Member;
  /** `count` members without a browser. */
  seats(group: Group, count: number): Promise<Member[]>;
  /** Errors of the pages, and requests to other sites. After a test there must be none. */
  complaints: string[];
}

export const test = base.extend<Given, { server: Server }>({
  // All tests of a worker share a server. A test that fails is the worker's last, so each test may kill the server.
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from a pattern
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  page: ({ page }, use) => use(withSteps(page)),
  permissions: ["clipboard-read", "clipboard-write"],
  baseURL: ({ server }, use) => use(server.base),
  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = [];
      watch(context, complaints);
      await use(complaints);
      expect(complaints, "what the browser complained of").toEqual([]);
    },
    { auto: true },
  ],
  person: async ({ server }, use) => use(await register(server.base)),
  account: async ({ context, person }, use) => {
    await signedIn(context, person);
    await use(person);
  },
  newGroup: ({ server }, use) => use(async (name) => createGroup(await register(server.base), name)),
  group: async ({ newGroup }, use) => use(await newGroup("midnight tacos")),
  visitor: async ({ browser, complaints }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      watch(context, complaints);
      return withSteps(await context.newPage());
    });
    for (const context of contexts) await context.close();
  },
  join: ({ visitor }, use) =>
    use(async (group, options) => {
      const page = await visitor(options);
      await page.enter(group);
      return page;
    }),
  me: async ({ page, group }, use) => {
    await page.enter(group);
    await use(page);
  },
  other: async ({ join, group }, use) => use(await join(group)),
  member: async ({ seats, group }, use) => use((await seats(group, 1))[0]),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from a pattern
  seats: async ({}, use) => {
    const members: Member[] = [];
    await use(async (group, count) => {
      for (let at = 0; at < count; at += 1) members.push(await takeSeat(group));
      return members.slice(-count);
    });
    for (const member of members) member.go();
  },
});

/** Collects the errors of a browser's pages, and their requests to any host but the server. */
export function watch(context: BrowserContext, complaints: string[]) {
  context.on("weberror", (error) => complaints.push(error.error().message));
  context.on("console", (message) => {
    const words = message.text();
    // Playwright's trace asks for the page's pictures by such an address; the page doesn't.
    if (words.startsWith("Connecting to 'blob:")) return;
    if (/Content Security Policy|Trusted(HTML|Script|ScriptURL|Type)/.test(words)) complaints.push(words);
  });
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && hostname !== "127.0.0.1") complaints.push(request.url());
  });
}

export { expect };
