import { expect, test } from "vitest";
import { content, files, transferSize } from "./dist.ts";

/** JavaScript, in bytes after brotli, until the landing page is interactive. */
const LANDING_BUDGET = 90_000;

/** The same for a group, with everything that it can ever load: each menu, each dialog, the notices, the code to scan. */
const ROOM_BUDGET = 140_000;

/** What asks for the group before that: in one packet with the answer's head. */
const ASK_BUDGET = 1_000;

/** What comes when it is first wanted, and something that is in nothing else. */
const LATER = {
  "the notices": /\WF6\W/,
  "the menus": /role:\Wmenuitem/,
  "the pictures to send": /createObjectURL/,
  "the viewer": /download:\Wannon-/,
  "the question who goes": /type:\Wcheckbox/,
  "the code to scan": /crispEdges/,
  "the emoji": /🦓/u,
};

test("the landing page is interactive within its budget of JavaScript", () => {
  const needed = new Set<string>();
  for (const entry of entryScripts()) follow(entry, needed);
  follow(chunk("landing"), needed);

  const sizes = [...needed].map((file) => [file, transferSize(file)] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(total, sizes.map(([file, size]) => `${file} ${size}`).join("\n")).toBeLessThanOrEqual(
    LANDING_BUDGET,
  );
  // A list that came out empty would meet any budget; React alone is more than this.
  expect(total).toBeGreaterThan(50_000);
});

test("a group fits into its budget of JavaScript, with all that is loaded later", () => {
  const needed = new Set<string>();
  for (const entry of entryScripts()) follow(entry, needed);
  // What the entry may load besides are the other pages.
  const other = new Set(needed);
  const atFirst = new Set(needed);
  follow(chunk("room"), atFirst);
  for (const name of ["NoticesHost", "room"]) followAll(chunk(name), needed, other);

  const sizes = [...needed].map((file) => [file, transferSize(file)] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(total, sizes.map(([file, size]) => `${file} ${size}`).join("\n")).toBeLessThanOrEqual(ROOM_BUDGET);

  // The list is in it, so it is the room that was measured.
  expect(codeOf(atFirst)).toContain("scrollToIndex");
  const later = codeOf([...needed].filter((file) => !atFirst.has(file)));
  for (const [what, mark] of Object.entries(LATER)) expect(mark.test(later), what).toBe(true);
});

test("what asks for a group needs nothing else, is small, and no other page loads it", () => {
  const ask = chunk("ask");
  const needed = new Set<string>();
  follow(ask, needed);
  expect([...needed]).toEqual([ask]);
  expect(transferSize(ask)).toBeLessThanOrEqual(ASK_BUDGET);
  // The call is in it, so it is the piece that was meant.
  expect(content(ask)).toContain("/seat");

  const elsewhere = new Set<string>();
  for (const entry of entryScripts()) follow(entry, elsewhere);
  for (const name of ["landing", "account", "user", "home", "roomNew"]) follow(chunk(name), elsewhere);
  expect([...elsewhere]).not.toContain(ask);
});

test("pages are split: the landing page doesn't load what the others say", () => {
  const needed = new Set<string>();
  for (const entry of entryScripts()) follow(entry, needed);
  follow(chunk("landing"), needed);
  const loaded = codeOf(needed);
  expect(loaded).toContain("name tag");
  expect(loaded).not.toContain("argon2id");
});

function entryScripts(): string[] {
  return [...content("index.html").matchAll(/<script type="module"[^>]* src="\/([^"]+)"/g)].map(
    ([, src]) => src ?? "",
  );
}

/** The piece a page begins with. */
function chunk(name: string): string {
  const found = files().filter((file) => new RegExp(`^assets/${name}-[\\w-]{8}\\.js$`).test(file));
  expect(found).toHaveLength(1);
  return found[0] ?? "";
}

function codeOf(scripts: Iterable<string>): string {
  return [...scripts].map(content).join("");
}

/** Collects a script and everything it imports before it can run; `import()` isn't followed. */
function follow(file: string, seen: Set<string>) {
  if (seen.has(file)) return;
  seen.add(file);
  for (const [, imported] of content(file).matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g)) {
    follow(`assets/${imported}`, seen);
  }
}

/** The words of other languages, each beside the name of its file: nobody reads in two. */
const OTHER_WORDS = /"\.\/[\w-]+\/\w+\.ts":[^,]+/g;

/** The same, and what `import()` can bring later as well. */
function followAll(file: string, seen: Set<string>, without: ReadonlySet<string>) {
  const found = new Set<string>();
  follow(file, found);
  for (const one of found) {
    if (without.has(one) || seen.has(one)) continue;
    seen.add(one);
    const code = content(one).replace(OTHER_WORDS, "");
    for (const [, imported] of code.matchAll(/\bimport\(\s*["'`]\.\/([^"'`]+\.js)["'`]\)/g)) {
      followAll(`assets/${imported}`, seen, without);
    }
  }
}
