/** Groups and the people in them, each with a browser context of their own. */
import { exact } from "./exact.mjs";
import { createRoom, register } from "./people.mjs";

export const PICTURE = new URL("../public/og.png", import.meta.url).pathname;
export const ICON = new URL("../public/icon-192.png", import.meta.url).pathname;

let made = 0;

/** A new account and its group. */
export async function newRoom(base, name = "midnight tacos") {
  made += 1;
  const host = await register(base, `host-${Date.now().toString(36).slice(-6)}${made}`);
  const { room_id: id } = await createRoom(base, host, name);
  return { host, id, url: `${base}/room/${id}` };
}

export const box = (page) => page.getByRole("textbox", exact("Message"));
export const log = (page) => page.getByRole("log", exact("Messages"));
/** The row that says `words`. The clock stands right behind them: words that end in a digit are looked for without it. */
export const line = (page, words) =>
  log(page)
    .getByRole("article")
    .filter(
      /\d$/.test(words)
        ? { has: page.locator(`xpath=.//*[text()[contains(., "${words}")]]`) }
        : { hasText: words },
    );

/** What the device keeps of a group: the names that end in its id. */
export const kept = (page, id) =>
  page.evaluate((room) => Object.keys(localStorage).filter((key) => key.endsWith(room)), id);

/** A closed dialog's entry goes a moment later, and would call off a visit or a reload that has begun by then. */
export const overlaysGone = (page) =>
  until("no entry of a dialog", () => page.evaluate(() => !history.state?.overlays));

/** Opens the group in `page` and waits until one can talk. */
export async function enter(page, url) {
  await page.goto(url);
  await box(page).waitFor();
  await members(page)
    .getByText(/^[1-9]\d*$/)
    .waitFor({ state: "attached" });
}

/** What opens the list of members; in a wide window that is there without it. */
const members = (page) => page.locator("[aria-controls=members]");

export async function showMembers(page) {
  if (await members(page).isVisible()) await members(page).click();
}

export async function say(page, words) {
  await box(page).fill(words);
  await page.getByRole("button", exact("Send")).click();
}

/** Sends pictures with the same caption each. */
export async function showPictures(page, files, caption = "") {
  await page.setInputFiles("input[type=file]", files);
  const dialog = page.getByRole("dialog");
  if (caption !== "") await dialog.getByLabel("Caption").fill(caption);
  await dialog.getByRole("button", exact("Send")).click();
  await dialog.waitFor({ state: "detached" });
}

/** What the messages on the screen say, from top to bottom. */
export function said(page) {
  return log(page).evaluate((list) =>
    [...list.querySelectorAll("article [data-emoji]")].map((words) => words.textContent),
  );
}

/** Waits for `look` to give true. */
export async function until(what, look, patience = 15_000) {
  const end = Date.now() + patience;
  while (!(await look())) {
    if (Date.now() > end) throw new Error(`not within ${patience} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** People in a group, for as long as `work` takes. The first of `people` are pages that are there already. */
export async function withPeople(browser, url, count, work, options = {}) {
  const contexts = [];
  try {
    const pages = [];
    for (let at = 0; at < count; at += 1) pages.push(await visitor(browser, contexts, url, options));
    await work(...pages);
  } finally {
    for (const context of contexts) await context.close();
  }
}

async function visitor(browser, contexts, url, options) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    reducedMotion: "reduce",
    locale: "en-GB",
    ...options,
  });
  contexts.push(context);
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  await enter(page, url);
  return page;
}

/**
 * Says many things fast, over a bare socket with the seat of a page that isn't in the group; gives how to go on. Of
 * several who do so at once each needs a name of five letters.
 */
export async function flood(page, base, id, count, name = "flood") {
  await page.goto(`${base}/terms`);
  await page.evaluate(
    async ({ id, count, name }) => {
      await fetch(`/api/room-emoji/${id}`, { credentials: "same-origin" });
      const socket = new WebSocket(`ws://${location.host}/api/room/${id}/socket`);
      const send = (message) => socket.send(JSON.stringify({ action: "sendMessage", room_id: id, message }));
      const samples = [
        "ok",
        "Tacos at two? The place by the station is open, they say, all night long",
        "🌮",
      ];
      const sample = (at) => `${samples[at % 3]} ${at}`;
      let [said, heard] = [0, 0];
      socket.onmessage = ({ data }) => {
        heard += data.includes(`"${name}0`) ? 1 : 0;
      };
      const lost = new Promise((_, reject) => {
        socket.onclose = async ({ code }) => {
          const why = await fetch(`/api/room/${id}/socket`, { credentials: "same-origin" });
          reject(new Error(`the socket was closed with ${code}, and now: ${await why.text()}`));
        };
      });
      lost.catch(() => {});
      await Promise.race([
        lost,
        new Promise((resolve) => {
          socket.onopen = resolve;
        }),
      ]);
      send({ event: "event.connect" });
      const idOf = (at) => `${name}${String(at).padStart(10, "0")}`;
      window.sayOne = (words = sample(said)) => {
        send({ event: "event.chat", id: idOf(said), message: words });
        said += 1;
      };
      window.showOne = (image_src, caption = sample(said)) => {
        send({ event: "event.image", id: idOf(said), caption, image_src });
        said += 1;
      };
      // More than so many unread, and a member is taken for one who reads too slowly.
      const talk = async () => {
        while (said < count) {
          window.sayOne();
          while (said - heard > 50) await new Promise((resolve) => setTimeout(resolve, 2));
        }
        while (heard < count) await new Promise((resolve) => setTimeout(resolve, 10));
      };
      await Promise.race([lost, talk()]);
    },
    { id, count, name },
  );
}
