import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inPage } from "./inPage.mjs";

/** Finds elements by role and name, as people do, in whichever engine shows the page. */
const LIBRARY = readFileSync(
  createRequire(import.meta.url).resolve("@testing-library/dom/dist/@testing-library/dom.umd.min.js"),
  "utf8",
);
const BEGIN = `(() => { ${LIBRARY}; window.inPage = (${inPage})(window.TestingLibraryDom); })()`;
const PATIENCE_MS = 20_000;
const BETWEEN_LOOKS_MS = 50;

/** A window of an engine, as the walk uses it. What can't be done yet is waited for. */
export function screenOf(tab) {
  /** Asks the page until it `found` something. It may be on its way to another page meanwhile. */
  async function until(look, ...args) {
    const written = args.map((arg) => JSON.stringify(arg)).join(", ");
    const looking = `window.inPage?.${look}(${written}) ?? null`;
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const { found, why } = await once(looking).catch(({ message }) => ({ why: message }));
      if (found) return found;
      if (Date.now() > end) throw new Error(`${tab.browser}: ${look}(${written}): ${why}`);
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
    }
  }

  async function once(looking) {
    const seen = await tab.evaluate(looking);
    if (seen) return seen;
    await tab.evaluate(BEGIN);
    return { why: "the page has just begun" };
  }

  async function click(role, name) {
    await tab.click(await until("place", role, name));
  }

  return {
    ...tab,
    click,
    see: (role, name) => until("see", role, name),
    read: (words) => until("read", words),
    hear: (words) => until("line", words),
    picture: (name) => until("picture", name),
    /** What the browser and the page itself have found fault with. */
    faults: async () =>
      [tab.complaints, await tab.evaluate("sessionStorage.complaints ?? ''")].flat().join("\n"),
    /** Into a field, by the keys. */
    async write(name, words) {
      await click("field", name);
      await tab.type(words);
      const { value } = await until("see", "field", name);
      if (value !== words) throw new Error(`${tab.browser}: “${name}” says “${value}”, not “${words}”`);
    },
  };
}

/** A part of a name. */
export const part = (pattern) => ({ source: pattern.source });
