/** The private link after a note was sent: nobody loses it by one tap. */
import { privateLinkOn, writeAndAsk } from "../support/conversation.ts";
import type { Person } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const BOX = "Your anonymous note";
const QUESTION = "Leave without your link?";

/** Sends a note and asks for an answer. Gives the private link. */
async function ask(page: AppPage, { username }: Person): Promise<string> {
  await page.goto(`/${username}`);
  return writeAndAsk(page, "You sat with me at lunch that day.");
}

/** It leads strangers to the login. */
const logo = (page: AppPage) => page.getByRole("banner").getByRole("link").first();

test("it is there after a reload, after Back, and when another note was written", async ({
  page,
  person,
}) => {
  const privateLink = await ask(page, person);
  await page.button("Copy link").click();
  await page.reload();
  expect(await privateLinkOn(page)).toBe(privateLink);
  await page.link("Send another").click();
  await expect(page.getByLabel(BOX)).toHaveValue("");
  await page.reload();
  await expect(page.getByLabel(BOX)).toHaveValue("");
  await page.goBack();
  expect(await privateLinkOn(page)).toBe(privateLink);
  await logo(page).click();
  await page.waitForURL("**/login");
  await page.goBack();
  expect(await privateLinkOn(page)).toBe(privateLink);
  // Without a server the page has nothing to say that would be worth more than the link.
  await page.answers("**/api/annon/*", 503);
  await page.reload();
  expect(await privateLinkOn(page)).toBe(privateLink);
});

test("Back leads to it also while the app still takes over the page after a reload", async ({
  page,
  person,
}) => {
  const privateLink = await ask(page, person);
  await page.button("Copy link").click();
  await page.link("Send another").click();
  await expect(page.getByLabel(BOX)).toHaveValue("");
  // React first listens to the page, then draws it in slices, and only then hears where Back has led.
  await page.addInitScript(() => {
    const listen = Element.prototype.addEventListener;
    let isBegun = false;
    Element.prototype.addEventListener = function (...what: Parameters<typeof listen>) {
      if (this.id === "app" && !isBegun) setTimeout(() => history.back(), 5);
      isBegun ||= this.id === "app";
      return listen.apply(this, what);
    };
  });
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.reload();
  expect(await privateLinkOn(page)).toBe(privateLink);
});

test("leaving it asks once, and remembering it comes first", async ({ page, person }) => {
  const asked: string[] = [];
  page.on("dialog", async (dialog) => {
    asked.push(dialog.type());
    await dialog.accept();
  });
  const privateLink = await ask(page, person);
  await logo(page).click();
  await expect(page.dialog).toContainText(QUESTION);
  await expect(page.dialog.getByRole("button")).toHaveText([
    "",
    "Remember on this device",
    "Copy link",
    "Leave without it",
  ]);
  // Who stays still has it.
  await page.escape();
  expect(await privateLinkOn(page)).toBe(privateLink);
  // The browser asks before the tab goes elsewhere.
  await page.visit("/about");
  expect(asked).toEqual(["beforeunload"]);
  await page.goBack();
  expect(await privateLinkOn(page)).toBe(privateLink);

  await page.link("Send another").click();
  await page.button("Leave without it").click();
  await expect(page.getByLabel(BOX)).toBeVisible();
  await page.goBack();
  expect(await privateLinkOn(page)).toBe(privateLink);
  await logo(page).click();
  await page.waitForURL("**/login");
  await page.overlays(0);
  await page.goto("/");
  await expect(page.heading(/^Say it without/)).toBeVisible();
  await expect(page.getByText("Waiting for answers")).toHaveCount(0);
});

test("who leaves can still have it remembered, and isn't asked about a link that is kept", async ({
  page,
  person,
}) => {
  await ask(page, person);
  await logo(page).click();
  await page.dialog.getByRole("button", { name: "Remember on this device" }).click();
  await page.waitForURL("**/login");
  await page.goBack();
  await page.sees("This device remembers it");
  await page.link("Send another").click();
  await expect(page.getByLabel(BOX)).toBeVisible();
  await page.goto("/");
  await page.sees("Waiting for answers");
  await expect(page.link(`Your note to ${person.username}`)).toBeVisible();
});
