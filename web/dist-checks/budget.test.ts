import { expect, test } from "vitest";
import { content, transferSize } from "./dist.ts";

/** The JavaScript that the landing page needs to be interactive, in bytes after brotli. */
const LANDING_BUDGET = 115_000;

/** The same for a group, with everything that it can load later: menus, dialogs, notices, the QR code. */
const ROOM_BUDGET = 165_000;

/** The piece that asks for the group before the app is loaded. It fits into one packet with the answer's header. */
const ASK_BUDGET = 1_000;

/** What is loaded when it is first needed, with a pattern that is in no other piece. */
const LATER = {
  "the notices": /\WF6\W/,
  "the menus": /role:\Wmenuitem/,
  "the pictures to send": /createObjectURL/,
  "the viewer": /download:\Wannon-/,
  "the question who goes": /type:\Wcheckbox/,
  "the code to scan": /crispEdges/,
  "the emoji": /🦓/u,
};

/** The build's own list of its pieces, each with what it imports. */
type Piece = { file: string; name?: string; imports?: string[]; dynamicImports?: string[] };
const pieces: Record<string, Piece> = JSON.parse(content(".vite/manifest.json"));

const APP = "index.html";
const route = (name: string) => `src/app/routes/${name}.tsx`;

test("the landing page is interactive within its budget of JavaScript", () => {
  const total = expectWithin(LANDING_BUDGET, neededBy(APP, route("landing")));
  // A list that came out empty would meet any budget; React alone is more than this.
  expect(total).toBeGreaterThan(50_000);
});

test("a group fits into its budget of JavaScript, with all that is loaded later", () => {
  const atFirst = neededBy(APP, route("room"));
  // Everything else that the app may load is other pages.
  const all = new Set([
    ...neededBy(APP),
    ...everythingFrom(route("room"), "src/shared/ui/overlay/NoticesHost.tsx"),
  ]);
  expectWithin(ROOM_BUDGET, all);

  // The list of messages is in it, so it is the room that was measured.
  expect(codeOf(atFirst)).toContain("scrollToIndex");
  const later = codeOf([...all].filter((file) => !atFirst.has(file)));
  for (const [what, mark] of Object.entries(LATER)) expect(mark.test(later), what).toBe(true);
});

test("what asks for a group needs nothing else, is small, and no other page loads it", () => {
  const [key, ask] = Object.entries(pieces).find(([, { name }]) => name === "ask") ?? [];
  expect([...neededBy(key ?? "")]).toEqual([ask?.file]);
  expectWithin(ASK_BUDGET, [ask?.file ?? ""]);
  // The call is in it, so it is the piece that was meant.
  expect(content(ask?.file ?? "")).toContain("/seat");
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

test("the words of another language need no piece that waits for them, or both would wait for ever", () => {
  const words = Object.entries(pieces).filter(([key]) => key.includes("/shared/text/"));
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

/** The scripts of these pieces and of everything they import before they can run. */
function neededBy(...keys: string[]): Set<string> {
  return filesFrom(keys, ({ imports = [] }) => imports);
}

/** The same, with everything they can load later, but words in English only: nobody reads in two languages. */
function everythingFrom(...keys: string[]): Set<string> {
  return filesFrom(keys, ({ imports = [], dynamicImports = [] }) => [
    ...imports.filter((key) => key !== APP),
    ...dynamicImports.filter((key) => !/\/text\/(?!en\/)\w+\//.test(key)),
  ]);
}

function filesFrom(keys: string[], next: (piece: Piece) => string[]): Set<string> {
  const seen = new Set(keys);
  // Iterating a set also reaches what is added meanwhile.
  for (const key of seen) for (const other of next(pieceOf(key))) seen.add(other);
  return new Set([...seen].map((key) => pieceOf(key).file));
}

function pieceOf(key: string): Piece {
  const piece = pieces[key];
  if (!piece) throw new Error(`the build has no ${key}`);
  return piece;
}
