import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { deServer } from "./deServer";

/** Where the server has its sentences from; not what it writes to its log, nor the pages it makes itself. */
const SOURCES = [
  /^src\/(error|body|intake|picture|http)\.rs$/,
  /^src\/http\/(?!site|docs|guard).*\.rs$/,
  /^actors\/src\/(rooms|session)\.rs$/,
  /^actors\/src\/(room|inbox)\/.*\.rs$/,
  /^store\/src\/(text|room|account)\.rs$/,
  /^store\/src\/account\/.*\.rs$/,
];

/** How a refusal stands there: as an error's own words, or as what is given to what refuses. */
const REFUSALS = [
  /#\[error\(\s*"([^"]+)"/g,
  /(?:ApiError|Self)::(?:Bad|Forbidden|NotFound|Conflict)\(\s*(?:StatusCode::\w+,\s*)?"([^"]+)"/g,
  /TextError(?:::new)?\(\s*"([^"]+)"/g,
  /\b(?:bad\(|refuse\(&?|refused\(None, |frame::error\()"([^"]+)"/g,
  /const \w+: &str =\s*"([^"]+)"/g,
  // Texts that differ only in their lengths: when one is too short, and when it is too long.
  /\.\.=\w+,\s*"([^"]*)"/g,
  /\.\.=\w+,\s*"[^"]*",\s*"([^"]+)"/g,
];

/** What is shown though nothing went wrong. */
const ANSWERS = [/"((?:If there's an account |We've emailed |Your address )[^"]+)"/g];

const rust = ["src", "actors/src", "store/src"]
  .flatMap((crate) => readdirSync(`../${crate}`, { recursive: true }).map((file) => `${crate}/${file}`))
  .filter((file) => SOURCES.some((wanted) => wanted.test(file)))
  .map((file) => readFileSync(`../${file}`, "utf8").split("#[cfg(test)]")[0] ?? "");

const sentences = new Set(
  [...REFUSALS, ...ANSWERS]
    .flatMap((pattern) => rust.flatMap((source) => [...source.matchAll(pattern)]))
    .map(([, sentence]) => sentence ?? "")
    // A name has no space; what has a number in it is put together by `failureText`.
    .filter((sentence) => sentence.includes(" ") && !sentence.includes("{")),
);

test("the server's sentences were read", () => {
  expect(rust.length).toBeGreaterThan(30);
  expect(sentences.size).toBeGreaterThan(70);
});

test("everything the server can say is known in German, and nothing else", () => {
  expect(Object.keys(deServer).sort()).toEqual([...sentences].sort());
});
