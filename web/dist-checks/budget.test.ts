import { expect, test } from "vitest";
import { content, transferSize } from "./dist.ts";

/** The JavaScript that the landing page needs to be interactive, in bytes after brotli. */
const LANDING_BUDGET = 115_000;

/** The JavaScript of a group, with everything that it can load later: menus, dialogs, notices, the QR code, reports. */
const ROOM_BUDGET = 140_500;

/** Of that, what fills a phone's line before the first message: each 20 KB are a tenth of a second. */
const FIRST_MESSAGE_BUDGET = 111_000;

/** What is only in the router. */
const ROUTER_MARK = "No routes matched location";

/** What a group that asks first needs besides: its door, for a visitor who knocks, and who knocks, for its creator. */
const ASKS_FIRST_BUDGET = 6_000;
const ASKS_FIRST = ["src/features/chat/door/atDoor.ts", "src/features/knock/KnocksInRoom.tsx"];

/**
 * What a sealed group needs besides: what opens and seals, and what says so. The page for who has no key comes apart, and
 * so does what makes a group for all but one.
 */
const SEALED_BUDGET = 9_500;
const SEALED = ["src/features/chat/sealing/openSealed.ts", "src/features/chat/sealing/SealedMark.tsx"];
const SEALED_APART = ["KeylessPage", "NewGroupDialog"].map((name) => `src/features/chat/sealing/${name}.tsx`);

/** What the page of a sealed inbox needs besides: HPKE, what seals with it, and what says so. */
const SEALED_NOTE_BUDGET = 12_000;
const SEALED_NOTE = ["src/features/note/sealing/sealedNote.ts", "src/features/note/sealing/SealLine.tsx"];

/** What a sealed conversation needs besides, for its sender; its owner also loads what opens notes. */
const SEALED_TALK_BUDGET = 6_500;
const SEALED_TALK = ["openTalk.ts", "SealedTalkMark.tsx"].map(
  (file) => `src/features/chat/conversation/sealing/${file}`,
);

/** What a member needs besides who wants to hear of a group while its page is closed. */
const AWAY_BUDGET = 4_000;
const AWAY = ["src/features/chat/screen/overlays/AwayOfGroup.tsx"];

/** What every page needs besides if its browser remembers conversations: the header says how many answers are new. */
const REMEMBERS_BUDGET = 5_000;
const REMEMBERS = ["src/features/site/Answers.tsx"];

/** What not every group's page can load, and what comes when it is left. */
const SOME = [...ASKS_FIRST, ...SEALED, ...SEALED_APART, ...AWAY, ...REMEMBERS, "src/app/startSite.tsx"];

/** The chunk that asks for the group before the app is loaded. It fits into one packet with the response's headers. */
const ASK_BUDGET = 1_000;

/** What is only loaded when it is first needed, each with a pattern that no other chunk contains. */
const LATER = {
  "the notices": /\WF6\W/,
  "the menus": /role:\Wmenuitem/,
  "the pictures to send": /createObjectURL/,
  "the viewer": /download:\Wannon-/,
  "the question who goes": /type:\Wcheckbox/,
  "the code to scan": /crispEdges/,
  "the emoji": /🦓/u,
};

/** The build's own list of its chunks, each with what it imports. */
type Chunk = { file: string; name?: string; imports?: string[]; dynamicImports?: string[] };
const chunks: Record<string, Chunk> = JSON.parse(content(".vite/manifest.json"));

const APP = "index.html";
const GROUP = "src/app/groupMain.tsx";
const route = (name: string) => `src/app/routes/${name}.tsx`;

test("the landing page is interactive within its budget of JavaScript", () => {
  const total = expectWithin(LANDING_BUDGET, neededBy(APP, route("landing")));
  // An empty list would fit into any budget, so there is a minimum as well. React alone is larger than that.
  expect(total).toBeGreaterThan(50_000);
});

/** Everything else that the app can load belongs to other pages, or to some visitors and some groups only. */
function allOfRoom(): Set<string> {
  return everythingFrom(GROUP);
}

test("a group fits into its budget of JavaScript, with all that is loaded later", () => {
  const atFirst = neededBy(GROUP);
  const all = allOfRoom();
  expectWithin(ROOM_BUDGET, all);

  // Only the list of messages has this word, so the chunks that were measured are those of the room.
  expect(codeOf(atFirst)).toContain("scrollToIndex");
  const later = codeOf([...all].filter((file) => !atFirst.has(file)));
  for (const [what, mark] of Object.entries(LATER)) expect(mark.test(later), what).toBe(true);
});

test("before a group's first message come only so many bytes of script", () => {
  const first = neededBy(GROUP);
  expectWithin(FIRST_MESSAGE_BUDGET, first);
  // Nor does a menu or a dialog of the group wait for the router.
  expect(codeOf(allOfRoom())).not.toContain(ROUTER_MARK);
  expect(codeOf(neededBy(APP))).toContain(ROUTER_MARK);
});

test("a group that asks first needs little more, and no other group loads that", () => {
  const all = allOfRoom();
  const more = [...everythingFrom(...ASKS_FIRST)].filter((file) => !all.has(file));
  expectWithin(ASKS_FIRST_BUDGET, more);
  for (const words of ["event.knocks", "Knock knock"]) {
    expect(codeOf(more), words).toContain(words);
    expect(codeOf(all), words).not.toContain(words);
  }
});

test("a sealed group needs little more, and a page without one loads not one byte of it", () => {
  const all = new Set([
    ...allOfRoom(),
    ...neededBy(APP),
    ...neededBy(...["home", "user", "landing"].map(route)),
  ]);
  const more = [...everythingFrom(...SEALED)].filter((file) => !all.has(file));
  expectWithin(SEALED_BUDGET, more);
  for (const words of ["annon message 1", "This group is sealed"]) {
    expect(codeOf(more), words).toContain(words);
    expect(codeOf(all), words).not.toContain(words);
  }
});

test("the page of a sealed inbox needs little more, and no page without one loads a byte of it", () => {
  const page = neededBy(APP, route("user"));
  const others = neededBy(APP, ...["home", "landing", "account", "signedIn", "conversation"].map(route));
  const more = [...neededBy(...SEALED_NOTE)].filter((file) => !page.has(file));
  expectWithin(SEALED_NOTE_BUDGET, more);
  for (const words of ["annon note 1", "Too long info", "Your note is sealed"]) {
    expect(codeOf(more), words).toContain(words);
    expect(codeOf([...page, ...others, ...allOfRoom()]), words).not.toContain(words);
  }
});

test("a sealed conversation needs little more, and one that isn't sealed loads not a byte of it", () => {
  const page = neededBy(APP, route("conversation"));
  const more = [...neededBy(...SEALED_TALK)].filter((file) => !page.has(file));
  expectWithin(SEALED_TALK_BUDGET, more);
  for (const words of ["annon line 1", "This conversation is sealed"]) {
    expect(codeOf(more), words).toContain(words);
    expect(codeOf(page), words).not.toContain(words);
  }
  expect(codeOf(more)).not.toContain("Too long info");
});

test("to hear of a group while its page is closed needs little more, and no other page of a group loads that", () => {
  const all = allOfRoom();
  const more = [...everythingFrom(...AWAY)].filter((file) => !all.has(file));
  expectWithin(AWAY_BUDGET, more);
  const subscribes = [more, all].map((files) => codeOf([...files]).includes("pushManager"));
  expect(subscribes).toEqual([true, false]);
});

test("a browser that remembers conversations needs little more, and no other one loads that", () => {
  const all = new Set([...allOfRoom(), ...neededBy(APP)]);
  const more = [...everythingFrom(...REMEMBERS)].filter((file) => !all.has(file));
  expectWithin(REMEMBERS_BUDGET, more);
  const peeks = [more, all].map((files) => codeOf([...files]).includes("/api/conversations/peek"));
  expect(peeks).toEqual([true, false]);
});

test("the chunk that asks for a group is small, imports nothing, and no other page loads it", () => {
  const [key, ask] = Object.entries(chunks).find(([, { name }]) => name === "ask") ?? [];
  expect([...neededBy(key ?? "")]).toEqual([ask?.file]);
  expectWithin(ASK_BUDGET, [ask?.file ?? ""]);
  // The chunk contains the address of the call, so the test has found the right chunk.
  expect(content(ask?.file ?? "")).toContain("/api/room/");
  const elsewhere = neededBy(APP, ...["landing", "account", "user", "home", "signedIn"].map(route));
  expect([...elsewhere]).not.toContain(ask?.file);
});

test.each([
  ["landing", "name tag"],
  ["account", "Forgot your password?"],
])("pages are split: %s doesn't load what the others say", (page, own) => {
  const loaded = codeOf(neededBy(APP, route(page)));
  const found = [own, "argon2id", "Jump to latest"].filter((words) => loaded.includes(words));
  expect(found).toEqual([own]);
});

test("the words of another language need no chunk that waits for them, or both would wait for ever", () => {
  const words = Object.entries(chunks).filter(([key]) => key.includes("/shared/text/"));
  expect(words.length).toBeGreaterThan(3);
  for (const [key, { imports = [] }] of words) {
    expect(
      imports.filter((other) => !other.startsWith("_contract-")),
      key,
    ).toEqual([]);
  }
});

function expectWithin(budget: number, scripts: Iterable<string>): number {
  const sizes = [...scripts].map((file) => [file, transferSize(file)] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(total, sizes.map(([file, size]) => `${file} ${size}`).join("\n")).toBeLessThanOrEqual(budget);
  return total;
}

function codeOf(scripts: Iterable<string>): string {
  return [...scripts].map(content).join("");
}

/** The scripts of these chunks and of everything they import before they can run. */
function neededBy(...keys: string[]): Set<string> {
  return filesFrom(keys, ({ imports = [] }) => imports);
}

/** Like `neededBy`, with everything they can load later. Of the texts only the English ones count. */
function everythingFrom(...keys: string[]): Set<string> {
  return filesFrom(keys, ({ imports = [], dynamicImports = [] }) => [
    ...imports.filter((key) => key !== APP),
    ...dynamicImports.filter((key) => !/\/text\/(?!en\/)\w+\//.test(key) && !SOME.includes(key)),
  ]);
}

function filesFrom(keys: string[], next: (chunk: Chunk) => string[]): Set<string> {
  const seen = new Set(keys);
  // The loop also reaches the keys that are added to the set while it runs.
  for (const key of seen) for (const other of next(chunkOf(key))) seen.add(other);
  return new Set([...seen].map((key) => chunkOf(key).file));
}

function chunkOf(key: string): Chunk {
  const chunk = chunks[key];
  if (!chunk) throw new Error(`the build has no ${key}`);
  return chunk;
}
