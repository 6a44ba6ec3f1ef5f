/** Elements of any page, and the steps of a user there. */
import { expect, type Locator, type Page } from "@playwright/test";

export const PICTURE = new URL("../../public/og.png", import.meta.url).pathname;
export const ICON = new URL("../../public/icon-192.png", import.meta.url).pathname;

type Name = string | RegExp;
type Place = Page | Locator;

/** A string has to be the whole name. A pattern may match a part of it. */
const named = (name: Name) => ({ name, exact: true });

export const button = (at: Place, name: Name) => at.getByRole("button", named(name));
export const link = (at: Place, name: Name) => at.getByRole("link", named(name));
export const exactly = (at: Place, words: string) => at.getByText(words, { exact: true });
export const password = (at: Place, label = "Password") => at.getByRole("textbox", named(label));

/** Expects that these words are visible. */
export const sees = (at: Place, words: Name) => expect(at.getByText(words)).toBeVisible();

/** Waits for `look` to give true. */
export const until = (what: string, look: () => Promise<boolean>) => expect.poll(look, what).toBe(true);

/** What is asked for at this address doesn't come until the function that is returned is called. */
export async function holdBack(page: Page, address: string): Promise<() => void> {
  let free = () => {};
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  await page.route(address, async (route) => {
    await freed;
    await route.continue();
  });
  return free;
}

/** The place and size of an element. Fails if the element isn't visible. */
export async function placeOf(found: Locator) {
  await expect(found).toBeVisible();
  await found.page().evaluate(() => document.fonts.ready.then(() => undefined));
  const box = await found.boundingBox();
  if (!box) throw new Error(`${found} is nowhere`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** The words in `found` that are cut off, or that are broken into two lines without a hyphen. */
export const broken = (found: Locator) =>
  found.evaluateAll(async (all) => {
    await document.fonts.ready;
    return all.flatMap((one) => {
      const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      const isCut = one.scrollWidth > one.clientWidth + 1 && /\p{L}/u.test(one.textContent ?? "");
      const bad = isCut ? [`${one.textContent} is cut`] : [];
      while (walker.nextNode()) {
        const text = walker.currentNode as Text;
        if (text.parentElement?.closest(".visually-hidden")) continue;
        for (const { index, 0: word } of text.data.matchAll(/[^\s\u00AD-]+/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          // A hyphen that the browser has inserted counts as a part of the word after it.
          const parts = range.getClientRects().length - (text.data[index - 1] === "\u00AD" ? 1 : 0);
          if (parts > 1) bad.push(`${word} is broken`);
        }
      }
      return bad;
    });
  });

/** Collects everything that a page sends, its address and headers included. */
export function sentBy(page: Page, all: string[]) {
  page.on("request", (request) => {
    all.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? "");
  });
  page.on("websocket", (socket) => {
    all.push(socket.url());
    socket.on("framesent", ({ payload }) => all.push(String(payload)));
  });
}

export type PageSteps = ReturnType<typeof pageSteps>;

/** Steps of a user on any page. */
export function pageSteps(page: Page) {
  const called = (role: Parameters<Page["getByRole"]>[0]) => (name: Name) =>
    page.getByRole(role, named(name));
  const dialog = page.getByRole("dialog");
  const question = page.getByRole("alertdialog");

  /** Expects that so many things are open that the Back button would close. */
  const overlays = (count: number) =>
    expect.poll(() => page.evaluate(() => history.state?.overlays ?? 0), "open entries").toBe(count);

  return {
    button: called("button"),
    link: called("link"),
    heading: called("heading"),
    tab: called("tab"),
    radio: called("radio"),
    item: called("menuitem"),
    region: called("region"),
    exactly: (words: string) => exactly(page, words),
    password: (label?: string) => password(page, label),
    sees: (words: Name) => sees(page, words),
    dialog,
    question,
    cards: page.getByRole("article"),
    overlays,

    /** A closed dialog removes its history entry a moment later, which would cancel a visit that has begun by then. */
    async visit(path: string) {
      await overlays(0);
      await page.goto(path);
    },

    async answerQuestion(answer: string) {
      await button(question, answer).click();
      await expect(question).toHaveCount(0);
    },

    /** From now on the test answers a call. The call doesn't reach the server. */
    answers: (call: string, status: number, json: object = {}) =>
      page.route(call, (route) => route.fulfill({ status, json: { status, message: "", ...json } })),

    /** Opens the menu of a group or of the inbox, and chooses an item of it if one is given. */
    async moreMenu(choice?: string | RegExp) {
      await button(page, "More").first().click();
      await expect(page.getByRole("menu")).toBeVisible();
      if (choice) await page.getByRole("menuitem", named(choice)).click();
    },

    /** Opens the menu of a note, and chooses an item of it. `at` is the note's card. */
    async noteMenu(at: Locator, choice: string) {
      await button(at, /^More for the note/).click();
      await page.getByRole("menuitem", named(choice)).click();
    },

    async keys(...all: string[]) {
      for (const key of all) await page.keyboard.press(key);
    },

    /** Closes what is open with the Escape key. */
    async escape(from: Locator = dialog) {
      await page.keyboard.press("Escape");
      await expect(from).toBeHidden();
    },

    /** Waits until every animation has ended. */
    atRest: () =>
      page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running")),

    /** How much wider the page is than its window, in pixels. */
    sticksOut: () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),

    /** The element with the focus: its label, its name, or its first words. */
    focused: () =>
      page.evaluate(() => {
        const at = document.activeElement as HTMLInputElement | null;
        const label = at?.labels?.[0]?.textContent ?? at?.getAttribute("aria-label");
        return label ?? at?.textContent?.slice(0, 40) ?? "";
      }),

    /** The file that `act` downloads: its name and its path. */
    async saved(act: () => Promise<void>) {
      const [download] = await Promise.all([page.waitForEvent("download"), act()]);
      return { name: download.suggestedFilename(), path: await download.path() };
    },

    /** A finger on the touch screen. Its touches reach the browser itself, not only the page. */
    async finger() {
      const glass = await page.context().newCDPSession(page);
      const touch = (
        type: "touchStart" | "touchMove" | "touchEnd",
        ...touchPoints: { x: number; y: number }[]
      ) => glass.send("Input.dispatchTouchEvent", { type, touchPoints });
      const move = (x: number, y: number) => touch("touchMove", { x, y });
      const down = (x: number, y: number) => touch("touchStart", { x, y });
      const lift = () => touch("touchEnd");
      /** The finger rests before it lifts. Otherwise the page scrolls on, and the next touch would only stop that. */
      async function drag(x: number, y: number, ...way: [across: number, along: number][]) {
        await down(x, y);
        for (const [across, along] of [...way, way[way.length - 1]]) {
          await move(x + across, y + along);
          await page.waitForTimeout(60);
        }
        await lift();
      }
      /** The finger is quick when it lifts, so that the page scrolls on. The browser is told the times: a busy machine is slow. */
      async function flick(x: number, y: number, along: number) {
        const start = Date.now() / 1000;
        const send = (type: "touchStart" | "touchMove" | "touchEnd", step: number) =>
          glass.send("Input.dispatchTouchEvent", {
            type,
            touchPoints: type === "touchEnd" ? [] : [{ x, y: y + (along * step) / 6 }],
            timestamp: start + step / 60,
          });
        await send("touchStart", 0);
        for (let step = 1; step <= 6; step++) await send("touchMove", step);
        await send("touchEnd", 7);
      }
      return { down, move, lift, drag, flick };
    },

    clipboard: () => page.evaluate(() => navigator.clipboard.readText()),

    cookiesOf: async () =>
      Object.fromEntries((await page.context().cookies()).map((cookie) => [cookie.name, cookie])),

    /** Waits until the app has taken the server's page over. */
    takenOver: () =>
      page.waitForFunction(() => {
        const drawn = document.querySelector("#app > div");
        return drawn !== null && Object.keys(drawn).some((key) => key.startsWith("__reactFiber"));
      }),

    /** Waits until the service worker could open the page without a network. */
    keptByWorker: () => page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated"),

    async signInByForm(name: string, secret: string) {
      await page.getByLabel("Username or email").fill(name);
      await password(page).fill(secret);
      await button(page, "Sign in").click();
    },

    /** The size of a picture, how many red pixels it has, and its colours at some points. */
    painted(png: Buffer, ...points: [number, number][]) {
      return page.evaluate(
        async ([data, points]) => {
          const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
          const { width, height } = bitmap;
          const context = new OffscreenCanvas(width, height).getContext("2d");
          if (!context) throw new Error("no canvas");
          context.drawImage(bitmap, 0, 0);
          const { data: all } = context.getImageData(0, 0, width, height);
          let reds = 0;
          for (let at = 0; at < all.length; at += 4) {
            const [red, green, blue] = all.subarray(at, at + 3);
            if (red > 190 && green < 90 && blue < 110) reds += 1;
          }
          const at = ([x, y]: [number, number]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)];
          return { width, height, reds, at: points.map(at) };
        },
        [png.toString("base64"), points] as const,
      );
    },
  };
}
