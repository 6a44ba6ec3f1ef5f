import { readFileSync } from "node:fs";
import { box, flood, log, newRoom, PICTURE } from "../rooms.mjs";

const TALKERS = ["first", "other", "third", "forth"];
/** So many lines stand after the pictures: they are on the second page that is fetched. */
const AFTER_PICTURES = 300;
const PICTURES = 12;

/** A room in which several people have said so much, some pictures among it; the first of them can go on. */
export async function room(browser, base, count) {
  const { id, url } = await newRoom(base);
  const context = await browser.newContext();
  const others = await Promise.all(TALKERS.slice(1).map(() => browser.newContext()));
  const talker = await context.newPage();
  const share = Math.floor((count - AFTER_PICTURES - PICTURES) / (others.length + 1));
  const pages = [talker, ...(await Promise.all(others.map((other) => other.newPage())))];
  await Promise.all(pages.map((page, at) => flood(page, base, id, share, TALKERS[at])));
  await showPictures(talker, id);
  await talker.evaluate((more) => {
    for (let at = 0; at < more; at += 1) window.sayOne();
  }, AFTER_PICTURES);
  for (const other of others) await other.close();
  return { url, talker, close: () => context.close() };
}

async function showPictures(talker, id) {
  const image_b64 = readFileSync(PICTURE).toString("base64");
  await talker.evaluate(
    async ({ id, image_b64, count }) => {
      for (let at = 0; at < count; at += 1) {
        const answer = await fetch("/api/room/upload-image", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ room_id: id, image_b64 }),
        });
        const { message } = await answer.json();
        window.showOne(message);
      }
    },
    { id, image_b64, count: PICTURES },
  );
}

/** A phone with nothing on it yet. */
export async function inHand(browser, throttle) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    locale: "en-GB",
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const finger = await context.newCDPSession(page);
  await finger.send("Emulation.setCPUThrottlingRate", { rate: throttle });
  return { context, page, finger };
}

/** Somebody who opens it on a phone whose processor is so many times slower than this one. */
export async function phone(browser, url, throttle) {
  const { context, page, finger } = await inHand(browser, throttle);
  await page.goto(url);
  await box(page).waitFor();
  await log(page).getByRole("article").last().waitFor();
  // What the page does once, after it has opened, isn't what is measured.
  await page.waitForTimeout(4000);
  return { page, finger, close: () => context.close() };
}
