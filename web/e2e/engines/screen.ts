/** A window of an engine, as its driver knows it. */
export interface Tab {
  /** What the browser complains of. */
  complaints: string[];
  open(address: string): Promise<unknown>;
  reload(): Promise<unknown>;
  /** Gives what an expression comes to in the page. */
  evaluate(expression: string): Promise<unknown>;
  resize(width: number, height: number): Promise<unknown>;
  click(place: { x: number; y: number }): Promise<unknown>;
  /** Signs; `ENTER` is one. */
  press(keys: string): Promise<unknown>;
  /** In the page's only field for files. */
  choose(file: string): Promise<unknown>;
  screenshot(): Promise<Buffer>;
}

/** As both protocols write the key. */
export const ENTER = "\uE007";

interface Found {
  x: number;
  y: number;
  value: string;
  href: string;
}

export type Screen = ReturnType<typeof screenOf>;

const PATIENCE_MS = 30_000;
const SAID = `[...document.querySelectorAll("[role=log] article [data-emoji]")].map((words) => words.textContent)`;

/** The window as the walk uses it. What can't be done yet is waited for. */
export function screenOf(tab: Tab) {
  /** Asks the page until it has found something. It may be on its way to another page meanwhile. */
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

  return {
    ...tab,
    sees,
    click,
    reads: (words: string) => until(`document.body.innerText.includes(${JSON.stringify(words)})`),
    /** A message of a group that says this, and no second one. */
    hears: (words: string) =>
      until(`${SAID}.filter((said) => said === ${JSON.stringify(words)}).length === 1`),
    said: () => tab.evaluate(SAID),
    /** A picture that is drawn in its full size. */
    hasPicture: () =>
      until(`[...document.querySelectorAll("article img")].some((image) => image.naturalWidth > 500)`),
    /** What the browser and the page itself have found fault with. */
    faults: async () =>
      [...tab.complaints, await tab.evaluate("sessionStorage.complaints ?? ''")].filter(Boolean).join("\n"),
    /** Into a field, by the keys. */
    async write(name: string, words: string) {
      await click("input, textarea", name);
      await tab.press(words);
      const { value } = await sees("input, textarea", name);
      if (value !== words) throw new Error(`“${name}” says “${value}”, not “${words}”`);
    },
  };
}

/** Runs in the page: an element that rests and that nothing lies on. Behind an open dialog nothing can be used. */
async function find(selector: string, pattern: string) {
  const notes = window as unknown as { areKept?: true };
  if (!notes.areKept) {
    notes.areKept = true;
    // Kept from page to page.
    const keep = (words: string) => {
      sessionStorage.complaints = `${sessionStorage.complaints ?? ""}${words}\n`;
    };
    // Without an error it only tells that a size is measured in the next frame.
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
  // Links that lead to the same place are as good as one.
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
