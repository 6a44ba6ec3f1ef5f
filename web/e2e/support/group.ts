/** Steps that are taken in a group. */
import { expect, type Page } from "@playwright/test";
import { answerQuestion, button, dialog, item, overlaysGone, sees } from "./page.ts";
import { type Group, signedIn } from "./people.ts";

export const box = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
export const log = (page: Page) => page.getByRole("log", { name: "Messages", exact: true });

/** The row that says `words`. The clock stands right behind them: words that end in a digit are looked for without it. */
export const line = (page: Page, words: string | RegExp) =>
  log(page)
    .getByRole("article")
    .filter(
      typeof words === "string" && /\d$/.test(words)
        ? { has: page.locator(`xpath=.//*[text()[contains(., "${words}")]]`) }
        : { hasText: words },
    );

/** What the messages on the screen say, from top to bottom. */
export const messages = (page: Page) => log(page).locator("article [data-emoji]");

/** The sign that the server has a message. */
export const sent = (page: Page, words: string) => line(page, words).getByTitle("Sent", { exact: true });

export const picture = (page: Page, caption = "") => button(page, new RegExp(`^Picture by .*${caption}`));

/** One's own face stands beside the field. */
export const myFace = (page: Page) => page.locator("form [data-tone]").first();
export const more = (page: Page) => button(page, "More").first();
export const replyBar = (page: Page) => button(page, "Cancel reply");
export const toEnd = (page: Page) => button(page, /Jump to latest$/);
export const whoIsHere = (page: Page) => page.locator("#members");
/** What opens the list of members; in a wide window that is there without it. */
export const membersButton = (page: Page) => page.locator("[aria-controls=members]");

/** Opens the group and waits until one can talk. */
export async function enter(page: Page, group: Group) {
  await overlaysGone(page);
  await page.goto(group.url);
  await canTalk(page);
}

export async function canTalk(page: Page) {
  await expect(box(page)).toBeVisible();
  await expect(membersButton(page).getByText(/^[1-9]\d*$/)).toBeAttached();
}

export async function enterAsCreator(page: Page, group: Group) {
  await signedIn(page.context(), group.host);
  await enter(page, group);
}

export async function showMembers(page: Page) {
  await membersButton(page).click();
  await expect(whoIsHere(page)).toBeVisible();
}

export async function say(page: Page, ...all: string[]) {
  for (const words of all) {
    await box(page).fill(words);
    await button(page, "Send").click();
  }
}

/** Sends pictures with the same caption each. */
export async function showPictures(page: Page, files: string[], caption = "") {
  await page.setInputFiles("input[type=file]", files);
  if (caption !== "") await dialog(page).getByLabel("Caption").fill(caption);
  await button(dialog(page), "Send").click();
  await expect(dialog(page)).toHaveCount(0);
}

/** Opens the menu of a message, and takes something from it. */
export async function messageMenu(page: Page, words: string, choice?: string) {
  await line(page, words)
    .first()
    .click({ button: "right", position: { x: 60, y: 12 } });
  await expect(page.getByRole("menu")).toBeVisible();
  if (choice) await item(page, choice).click();
}

export async function answerTo(page: Page, words: string) {
  await messageMenu(page, words, "Reply");
  await expect(replyBar(page)).toBeVisible();
}

/** Opens the menu of the group, and takes something from it. */
export async function groupMenu(page: Page, choice?: string | RegExp) {
  await more(page).click();
  await expect(page.getByRole("menu")).toBeVisible();
  if (choice) await item(page, choice).click();
}

export async function leave(page: Page) {
  await groupMenu(page, "Leave group");
  await answerQuestion(page, "Leave");
  await sees(page, "You left the group");
}

export const pictureIsWhole = (page: Page) =>
  expect
    .poll(() =>
      log(page)
        .locator("article img")
        .evaluateAll((all) => all.some((one) => (one as HTMLImageElement).naturalWidth > 500)),
    )
    .toBe(true);

/** How far the list is from its end. */
export const fromEnd = (page: Page) =>
  log(page).evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);

export const atEnd = (page: Page) =>
  expect.poll(() => fromEnd(page), "pixels below what is seen").toBeLessThan(2);

/** The names under which the device keeps something of a group. */
export const keysOf = (page: Page, { id }: Group) =>
  page.evaluate((room) => Object.keys(localStorage).filter((key) => key.endsWith(room)), id);

/** How many pictures wait on the device to be sent. */
export const keptPictures = (page: Page) => inDatabase(page, false);

/** They were chosen the day before yesterday, in a group that lives on; and there is one of a group that has ended. */
export const waitedForDays = (page: Page) => inDatabase(page, true);

function inDatabase(page: Page, areAged: boolean) {
  return page.evaluate(
    (areAged) =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("annon");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const pictures = opening.result.transaction("pictures", "readwrite").objectStore("pictures");
          const all = pictures.getAll();
          all.onsuccess = () => {
            for (const kept of areAged ? all.result : []) {
              pictures.put({ ...kept, at: kept.at - 48 * 3_600_000 });
              pictures.put({ ...kept, id: "left behind", room: "gone", until: Date.now() - 1 });
            }
          };
          pictures.transaction.oncomplete = () => {
            opening.result.close();
            resolve(all.result.length);
          };
        };
      }),
    areAged,
  );
}
