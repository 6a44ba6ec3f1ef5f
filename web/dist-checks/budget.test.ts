import { expect, test } from "vitest";
import { content, files, transferSize } from "./dist.ts";

/** JavaScript, in bytes after brotli, until the landing page is interactive. */
const LANDING_BUDGET = 90_000;

/** The same for a group: until one can read and write. Menus and dialogs come when they are first opened. */
const ROOM_BUDGET = 140_000;

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

test("a group is ready to talk in within its budget of JavaScript", () => {
  const needed = new Set<string>();
  for (const entry of entryScripts()) follow(entry, needed);
  for (const name of ["NoticesHost", "room"]) follow(chunk(name), needed);

  const sizes = [...needed].map((file) => [file, transferSize(file)] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(total, sizes.map(([file, size]) => `${file} ${size}`).join("\n")).toBeLessThanOrEqual(ROOM_BUDGET);
  // The list is in it, so it is the room that was measured.
  expect([...needed].map(content).join("")).toContain("scrollToIndex");
});

test("pages are split: the landing page doesn't load what the others say", () => {
  const needed = new Set<string>();
  for (const entry of entryScripts()) follow(entry, needed);
  follow(chunk("landing"), needed);
  const loaded = [...needed].map(content).join("");
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

/** Collects a script and everything it imports before it can run; `import()` isn't followed. */
function follow(file: string, seen: Set<string>) {
  if (seen.has(file)) return;
  seen.add(file);
  for (const [, imported] of content(file).matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g)) {
    follow(`assets/${imported}`, seen);
  }
}
