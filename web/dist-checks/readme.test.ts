/** README's pictures, which `make shots` makes: each is there in both themes, and together they are light. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url);
const README = readFileSync(new URL("README.md", ROOT), "utf8");
const PICTURES_BUDGET = 300_000;

const pictures = README.match(/<picture>.*?<\/picture>/gs) ?? [];
const named = [...README.matchAll(/(?:src|srcset)="(docs\/pictures\/[^"]+)"/g)].map(([, file]) => file ?? "");

test("README has three pictures, each in both themes and with words for those who don't see it", () => {
  expect(pictures).toHaveLength(3);
  for (const picture of pictures) {
    expect(picture).toMatch(
      /<source media="\(prefers-color-scheme: dark\)" srcset="docs\/pictures\/\w+-dark\.webp">/,
    );
    expect(picture).toMatch(/<img src="docs\/pictures\/\w+-light\.webp" alt="[^"]{20,}"/);
  }
});

test("they exist, are all shown, and weigh less than 300 KB together", () => {
  const missing = named.filter((file) => !existsSync(new URL(file, ROOT)));
  expect(missing).toEqual([]);
  const made = readdirSync(new URL("docs/pictures/", ROOT)).map((file) => `docs/pictures/${file}`);
  expect(made.sort()).toEqual([...new Set(named)].sort());
  const sizes = made.map((file) => statSync(new URL(file, ROOT)).size);
  expect(Math.min(...sizes)).toBeGreaterThan(5_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(PICTURES_BUDGET);
});
