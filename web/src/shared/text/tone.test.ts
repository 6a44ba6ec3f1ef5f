import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { server } from "./de/server";

/** Words that read like a careful translation. Nobody says them aloud. */
const STIFF = {
  en: /\b(whoever|somebody|everybody|anybody|for good|once more|by itself|at once|would rather|set anew)\b/i,
  de: /\b(zehn|drei) Emoji\b|"Knall"|\b(ab|auf)(ge)?schl(ieß|oss)en\b|noch einmal|Netzwerkadresse|schon wieder/i,
};

test.each(["en", "de"] as const)("the words in %s are those one would say aloud", (language) => {
  const folder = `src/shared/text/${language}`;
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThan(4);
  for (const file of files) {
    const words =
      file === "server.ts" ? Object.values(server).join("\n") : readFileSync(`${folder}/${file}`, "utf8");
    expect(STIFF[language].exec(words)?.[0], file).toBeUndefined();
  }
});

test("the server's own sentences, too", () => {
  expect(Object.keys(server).filter((sentence) => STIFF.en.test(sentence))).toEqual([]);
});
