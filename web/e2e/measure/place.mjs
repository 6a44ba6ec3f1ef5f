import assert from "node:assert/strict";
import { log } from "../rooms.mjs";

const LOADS = 4;
/** Slow enough for what comes late to be seen coming late. */
const PICTURE_TAKES_MS = 700;

/** How far the line in the middle of the screen moves while older pages and their pictures come in around it. */
export async function place({ page }) {
  await page.route("**/image/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, PICTURE_TAKES_MS));
    await route.continue().catch(() => {});
  });
  const loads = {};
  for (let load = 1; load <= LOADS; load += 1) loads[`page ${load}`] = await log(page).evaluate(watchMiddle);
  loads["among pictures"] = await log(page).evaluate(watchPictures);
  assert.ok(loads["among pictures"].pictures > 1, "no pictures have loaded while somebody looked");
  await page.unroute("**/image/**");
  return loads;
}

/** Runs in the page. Scrolls to where an older page is asked for, and looks on until it has long been there. */
async function watchMiddle(list) {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const height = list.scrollHeight;
  list.scrollTop = 900;
  for (let settling = 0; settling < 3; settling += 1) await frame();
  const middle = list.getBoundingClientRect().top + list.clientHeight / 2;
  const rows = [...list.querySelectorAll("[data-row]")];
  const anchor = rows.find((row) => row.getBoundingClientRect().bottom > middle);
  const at = anchor.getBoundingClientRect().top;
  let [moved, settled, pictures] = [0, 0, 0];
  while (settled < 90) {
    await frame();
    if (!anchor.isConnected) return { "moved, px": Number.NaN, pictures };
    moved = Math.max(moved, Math.abs(anchor.getBoundingClientRect().top - at));
    pictures = Math.max(pictures, list.querySelectorAll("article button > img").length);
    settled = list.scrollHeight > height + 2000 ? settled + 1 : 0;
  }
  return { "moved, px": Math.round(moved * 100) / 100, pictures };
}

/** Runs in the page. Goes to the pictures and looks on while they load, above the middle and below it. */
async function watchPictures(list) {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const pictures = () => [...list.querySelectorAll("article button > img")];
  const middle = list.getBoundingClientRect().top + list.clientHeight / 2;
  const isAbove = (image) => image.getBoundingClientRect().bottom < middle;
  for (let steps = 0; pictures().filter(isAbove).length < 2 && steps < 400; steps += 1) {
    list.scrollTop += 250;
    await frame();
    await frame();
  }
  const rows = [...list.querySelectorAll("[data-row]")];
  const anchor = rows.find((row) => row.getBoundingClientRect().bottom > middle);
  const at = anchor.getBoundingClientRect().top;
  const waiting = pictures().filter((image) => !image.complete);
  let moved = 0;
  for (let frames = 0; frames < 240; frames += 1) {
    await frame();
    moved = Math.max(moved, Math.abs(anchor.getBoundingClientRect().top - at));
  }
  const loaded = waiting.filter((image) => image.complete && image.naturalWidth > 0).length;
  return { "moved, px": Math.round(moved * 100) / 100, pictures: loaded };
}
