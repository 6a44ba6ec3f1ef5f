/** A window of a browser, and what its driver can do with it. */
export interface Tab {
  /** Errors that the browser reports. */
  complaints: string[];
  open(address: string): Promise<unknown>;
  reload(): Promise<unknown>;
  /** Gives the value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  resize(width: number, height: number): Promise<unknown>;
  click(place: { x: number; y: number }): Promise<unknown>;
  /** Types characters. `ENTER` and `TAB` are two of them. */
  press(keys: string): Promise<unknown>;
  /** Chooses a file in the page's only field for files. */
  choose(file: string): Promise<unknown>;
  screenshot(): Promise<Buffer>;
}

/** The Enter key, as both protocols write it. */
export const ENTER = "\uE007";
export const TAB = "\uE004";

interface Found {
  x: number;
  y: number;
  value: string;
  href: string;
}

export type Screen = ReturnType<typeof screenOf>;

const PATIENCE_MS = 30_000;
const ALL_WORDS = `[...document.querySelectorAll("[role=log] article [data-emoji]")].map((words) => words.textContent)`;

/** The window as the walk uses it. Each step waits until it is possible. */
export function screenOf(tab: Tab) {
  /** Asks the page until it finds something. The page may be replaced by another one meanwhile. */
  async function until<T>(look: string): Promise<T> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const seen = await tab.evaluate(look).catch((error: Error) => error);
      if (seen && !(seen instanceof Error)) return seen as T;
      if (Date.now() > end) throw new Error(`this isn't there: ${look.slice(-200)}; ${seen ?? ""}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  const sees = (selector: string, name: string | RegExp) => {
    const pattern = typeof name === "string" ? `^${name.replace(/[.?]/g, "\\$&")}$` : name.source;
    return until<Found>(`(${find})(${JSON.stringify(selector)}, ${JSON.stringify(pattern)})`);
  };
  const click = async (selector: string, name: string | RegExp) => tab.click(await sees(selector, name));
  /** Types words into the field with this name. */
  async function write(name: string, words: string) {
    await click("input, textarea", name);
    await tab.press(words);
    const { value } = await sees("input, textarea", name);
    if (value !== words) throw new Error(`“${name}” says “${value}”, not “${words}”`);
  }
  /** Waits until the group or conversation has exactly one message with these words. */
  const hears = (words: string) =>
    until(`${ALL_WORDS}.filter((one) => one === ${JSON.stringify(words)}).length === 1`);

  return {
    ...tab,
    sees,
    click,
    write,
    hears,
    async say(words: string) {
      await write("Message", words);
      await tab.press(ENTER);
      await hears(words);
    },
    reads: (words: string) => until(`document.body.innerText.includes(${JSON.stringify(words)})`),
    allWords: () => tab.evaluate(ALL_WORDS),
    /** Waits for a full picture. A tiny preview isn't enough. */
    hasPicture: () =>
      until(`[...document.querySelectorAll("article img")].some((image) => image.naturalWidth > 500)`),
    /** The errors that the browser and the page itself have reported. */
    faults: async () =>
      [...tab.complaints, await tab.evaluate("sessionStorage.complaints ?? ''")].filter(Boolean).join("\n"),
  };
}

/** Runs in the page. Finds an element that doesn't move, isn't covered, and isn't behind an open dialog. */
async function find(selector: string, pattern: string) {
  const notes = window as unknown as { areKept?: true };
  if (!notes.areKept) {
    notes.areKept = true;
    // The session storage keeps the errors when the page is replaced by another one.
    const keep = (words: string) => {
      sessionStorage.complaints = `${sessionStorage.complaints ?? ""}${words}\n`;
    };
    // An event without an error only says that a size will be measured in the next frame.
    addEventListener("error", ({ error }) => error && keep(String(error)));
    addEventListener("unhandledrejection", ({ reason }) => keep(String(reason)));
    addEventListener("securitypolicyviolation", (found) =>
      keep(`${found.violatedDirective} ${found.blockedURI}`),
    );
  }
  const nameOf = (one: HTMLInputElement) =>
    (one.ariaLabel ?? one.labels?.[0]?.innerText ?? one.innerText ?? "").trim().replace(/\s+/g, " ");
  const top = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  const found = [...top.querySelectorAll<HTMLInputElement & HTMLAnchorElement>(selector)].filter(
    (one) => one.checkVisibility() && !one.closest("[inert]") && new RegExp(pattern).test(nameOf(one)),
  );
  const [element] = found;
  // Several links to the same address count as one.
  if (!element || found.some((one) => one !== element && (!one.href || one.href !== element.href)))
    return null;
  element.scrollIntoView({ block: "nearest", behavior: "instant" });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const before = element.getBoundingClientRect();
  await frame();
  await frame();
  const { left, top: above, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, above + height / 2];
  if (left !== before.left || above !== before.top) return null;
  if (!element.contains(document.elementFromPoint(x, y))) return null;
  return { x, y, value: element.value, href: element.href };
}
