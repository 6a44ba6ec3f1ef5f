/** Steps that are taken on any page. */
import { expect, type Locator, type Page } from "@playwright/test";

export const PICTURE = new URL("../../public/og.png", import.meta.url).pathname;
export const ICON = new URL("../../public/icon-192.png", import.meta.url).pathname;

type Name = string | RegExp;
type Place = Page | Locator;

/** The whole name and nothing more, or what a pattern finds. */
const named = (name: Name) => ({ name, exact: true });

export const button = (at: Place, name: Name) => at.getByRole("button", named(name));
export const link = (at: Place, name: Name) => at.getByRole("link", named(name));
export const heading = (at: Place, name: Name) => at.getByRole("heading", named(name));
export const tab = (at: Place, name: Name) => at.getByRole("tab", named(name));
export const radio = (at: Place, name: Name) => at.getByRole("radio", named(name));
export const item = (at: Place, name: Name) => at.getByRole("menuitem", named(name));
export const region = (at: Place, name: Name) => at.getByRole("region", named(name));
export const exactly = (at: Place, words: string) => at.getByText(words, { exact: true });
export const dialog = (page: Page) => page.getByRole("dialog");
export const question = (page: Page) => page.getByRole("alertdialog");
export const cards = (page: Page) => page.getByRole("article");
export const password = (at: Place, label = "Password") => at.getByRole("textbox", named(label));

/** These words are on the page. */
export const sees = (at: Place, words: Name) => expect(at.getByText(words)).toBeVisible();

/** Waits for `look` to give true. */
export const until = (what: string, look: () => Promise<boolean>) => expect.poll(look, what).toBe(true);

/** A closed dialog's entry goes a moment later, and would call off a visit or a reload that has begun by then. */
export const overlaysGone = (page: Page) => overlays(page, 0);

/** So many things that Back closes are open. */
export const overlays = (page: Page, count: number) =>
  expect.poll(() => page.evaluate(() => history.state?.overlays ?? 0), "open entries").toBe(count);

export async function visit(page: Page, path: string) {
  await overlaysGone(page);
  await page.goto(path);
}

export async function answerQuestion(page: Page, answer: string) {
  await button(question(page), answer).click();
  await expect(question(page)).toHaveCount(0);
}

export async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Where something is, which has to be somewhere. */
export async function placeOf(found: Locator) {
  await expect(found).toBeVisible();
  const box = await found.boundingBox();
  if (!box) throw new Error(`${found} is nowhere`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** What moves or changes its colour has done so. */
export const atRest = (page: Page) =>
  page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));

/** How much wider the page is than its window, in pixels. */
export const sticksOut = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What has the focus: its label, its name, or its first words. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement | null;
    return (
      at?.labels?.[0]?.textContent ?? at?.getAttribute("aria-label") ?? at?.textContent?.slice(0, 40) ?? ""
    );
  });

/** What `act` saves as a file: its name, and where it is. */
export async function saved(page: Page, act: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return { name: download.suggestedFilename(), path: await download.path() };
}

export async function clipboard(page: Page) {
  return page.evaluate(() => navigator.clipboard.readText());
}

export const mayUseClipboard = (page: Page) =>
  page.context().grantPermissions(["clipboard-read", "clipboard-write"]);

export const cookiesOf = async (page: Page) =>
  Object.fromEntries((await page.context().cookies()).map((cookie) => [cookie.name, cookie]));

/** The page's service worker would open it without a network. */
export const keptByWorker = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");

export async function signInByForm(page: Page, name: string, secret: string) {
  await page.getByLabel("Username or email").fill(name);
  await password(page).fill(secret);
  await button(page, "Sign in").click();
}

/** What a picture is like: its size, how many colours and how much red it has, and what is at some points. */
export function painted(page: Page, png: Buffer, ...points: [number, number][]) {
  return page.evaluate(
    async ([data, points]) => {
      const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const { width, height } = bitmap;
      const context = new OffscreenCanvas(width, height).getContext("2d");
      if (!context) throw new Error("no canvas");
      context.drawImage(bitmap, 0, 0);
      const { data: all } = context.getImageData(0, 0, width, height);
      const colours = new Set<number>();
      let reds = 0;
      for (let at = 0; at < all.length; at += 4) {
        const [red, green, blue] = all.subarray(at, at + 3);
        colours.add((red << 16) | (green << 8) | blue);
        if (red > 190 && green < 90 && blue < 110) reds += 1;
      }
      const at = ([x, y]: [number, number]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)];
      return { width, height, colours: colours.size, reds, at: points.map(at) };
    },
    [png.toString("base64"), points] as const,
  );
}
