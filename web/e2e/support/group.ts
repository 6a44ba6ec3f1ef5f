/** Steps of a user in a group. */
import { expect, type Page } from "@playwright/test";
import { button, type PageSteps, until } from "./page.ts";
import { type Group, signedIn } from "./people.ts";

export type GroupSteps = ReturnType<typeof groupSteps>;

export function groupSteps(page: Page & PageSteps) {
  // The page that the server draws has a box in its place, which takes no words yet.
  const box = page.getByRole("textbox", { name: "Message", exact: true, disabled: false });
  const log = page.getByRole("log", { name: "Messages", exact: true });
  const replyBar = page.button("Cancel reply");
  const whoIsHere = page.locator("#members");
  /** The button that opens and closes the list of members. */
  const membersButton = page.locator("[aria-controls=members]");

  /** The row with `words`. The time follows them directly, so words that end in a digit are searched for without it. */
  const line = (words: string | RegExp) =>
    log
      .getByRole("article")
      .filter(
        typeof words === "string" && /\d$/.test(words)
          ? { has: page.locator(`xpath=.//*[text()[contains(., "${words}")]]`) }
          : { hasText: words },
      );

  /** The mark that shows that the server has a message. */
  const sent = (words: string) => line(words).getByTitle("Sent", { exact: true });

  const picture = (caption = "") => page.button(new RegExp(`^Photo by .*${caption}`));

  /** Opens the group and waits until its user can talk. */
  async function enter(group: Group) {
    await page.visit(group.url);
    await canTalk();
  }

  async function canTalk() {
    await expect(box).toBeVisible();
    await expect(membersButton.getByText(/^[1-9]\d*$/)).toBeAttached();
  }

  async function say(...all: string[]) {
    for (const words of all) {
      await box.fill(words);
      await page.button("Send").click();
    }
  }

  /** Opens the menu of a message, and chooses an item of it if one is given. */
  async function messageMenu(words: string, choice?: string) {
    await line(words)
      .first()
      .click({ button: "right", position: { x: 60, y: 12 } });
    await expect(page.getByRole("menu")).toBeVisible();
    if (choice) await page.item(choice).click();
  }

  /** How many pixels the list has to scroll to its end. */
  const fromEnd = () => log.evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);

  return {
    box,
    log,
    replyBar,
    whoIsHere,
    membersButton,
    line,
    sent,
    picture,
    enter,
    canTalk,
    say,
    messageMenu,
    fromEnd,
    /** The words of the messages on the screen, from top to bottom. */
    messages: log.locator("article [data-emoji]"),
    /** The user's own emoji, beside the message field. */
    myEmoji: page.locator("form [data-tone]").first(),
    more: page.button("More").first(),
    toEnd: page.button(/Jump to latest$/),

    async enterAsCreator(group: Group) {
      await signedIn(page.context(), group.host);
      await enter(group);
    },

    async showMembers() {
      // In a wide window the list is open already; in one that has just become narrow, it may still seem to be.
      await until("the members are shown", async () => {
        if ((await membersButton.getAttribute("aria-expanded")) !== "true") await membersButton.click();
        return whoIsHere.isVisible();
      });
    },

    /** Sends messages, and waits until the server has them. */
    async sends(...all: string[]) {
      await say(...all);
      await expect(sent(all[all.length - 1])).toBeVisible();
    },

    /** Another member sends a message, and it is shown here. */
    async hears(other: { say(...all: string[]): unknown }, words: string) {
      await other.say(words);
      await expect(line(words)).toBeVisible();
    },

    /** Sends pictures with the same caption each. */
    async showPictures(files: string[], caption = "") {
      await page.setInputFiles("input[type=file]", files);
      if (caption !== "") await page.dialog.getByLabel("Caption").fill(caption);
      await button(page.dialog, "Send").click();
      await expect(page.dialog).toHaveCount(0);
    },

    async answerTo(words: string) {
      await messageMenu(words, "Reply");
      await expect(replyBar).toBeVisible();
    },

    /** Makes a sealed group with the account that is signed in, and with these switches on. Gives its whole link. */
    async makeSealed(name: string, ...switches: string[]) {
      await page.visit("/room/new");
      await page.getByLabel("Group name").fill(name);
      for (const one of ["Seal it", ...switches]) await page.getByRole("switch", { name: one }).check();
      await page.button("Create Group").click();
      const href = (await page.link("Open Group").getAttribute("href")) ?? "";
      return new URL(href, page.url()).href;
    },

    async leave() {
      await page.moreMenu("Leave group");
      await page.answerQuestion("Leave");
      await page.sees("You left the group");
    },

    /** Waits until the full picture is shown, not only its tiny preview. */
    isWhole: (caption: string) =>
      until(`${caption} is whole`, () =>
        picture(caption)
          .locator("img")
          .evaluateAll((all) => all.some((one) => (one as HTMLImageElement).naturalWidth > 500)),
      ),

    atEnd: () => expect.poll(() => fromEnd(), "pixels below what is seen").toBeLessThan(2),

    /** The keys in local storage that belong to a group. */
    keysOf: ({ id }: Group) =>
      page.evaluate((room) => Object.keys(localStorage).filter((key) => key.endsWith(room)), id),

    /**
     * Gives how many pictures on the device wait to be sent. With `areOld` it also makes each of them two days old, in
     * a group that still exists, and adds a picture of a group that has ended.
     */
    keptPictures: (areOld = false) =>
      page.evaluate(
        (areOld) =>
          new Promise<number>((resolve, reject) => {
            const opening = indexedDB.open("annon");
            opening.onerror = () => reject(opening.error);
            opening.onsuccess = () => {
              const pictures = opening.result.transaction("pictures", "readwrite").objectStore("pictures");
              const all = pictures.getAll();
              all.onsuccess = () => {
                for (const kept of areOld ? all.result : []) {
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
        areOld,
      ),
  };
}
