/** The cards of groups: how one's own stand, and those this device has joined. */
import type { Page } from "@playwright/test";
import { enter, keptPictures, keysOf, line, say, showPictures } from "../support/group.ts";
import {
  answerQuestion,
  button,
  cards,
  exactly,
  keptByWorker,
  PICTURE,
  sees,
  until,
} from "../support/page.ts";
import { callAs, createGroup, signedIn } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

const card = (page: Page, name: string) => cards(page).filter({ hasText: name });
const look = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
const joined = (page: Page) => page.getByText("Groups you’ve joined");

test("each control of a card is called after its group", async ({ page, account }) => {
  for (const name of ["owls", "tacos"]) await createGroup(account, name);
  await page.goto("/homepage?tab=groups");
  for (const name of ["owls", "tacos"]) {
    for (const does of ["Share", "QR code of", "Delete"])
      await expect(button(page, `${does} ${name}`)).toBeVisible();
  }
});

test("a group of one's own says how long it lasts, who is there and what is new", async ({
  page,
  context,
  newGroup,
  join,
}) => {
  const group = await newGroup("night owls");
  await signedIn(context, group.host);
  await page.goto("/homepage?tab=groups");
  const owls = card(page, "night owls");
  await sees(owls, /^(24h 0m|23h 59m) left$/);
  await sees(owls, "No one’s joined yet");
  await expect(owls.getByText(/ new$/)).toHaveCount(0);

  const room = await context.newPage();
  await enter(room, group);
  await say(room, "mine");
  await expect(line(room, "mine")).toBeVisible();
  const other = await join(group);
  await say(other, "seen");
  await expect(line(room, "seen")).toBeVisible();
  await look(page);
  await sees(owls, "2 here now, 2 of 10 seats taken");
  await expect(owls.getByText(/ new$/), "it was seen here").toHaveCount(0);
  await room.close();
  await say(other, "one", "two");
  await expect(line(other, "two")).toBeVisible();
  await until("news", async () => {
    await look(page);
    return (await exactly(owls, "2 new").count()) === 1;
  });
  await sees(owls, "1 here now, 2 of 10 seats taken");
  // One's own group is listed once.
  await expect(cards(page)).toHaveCount(1);
  expect(await keysOf(page, group)).toContain(`annon.group.${group.id}`);
});

test("a group one has joined is listed on this device, and forgotten when one says so", async ({
  page,
  context,
  group,
  newGroup,
}) => {
  const { host } = await newGroup("night owls");
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(joined(page)).toHaveCount(0);
  await enter(page, group);
  await page.goto("/");
  const tacos = card(page, "midnight tacos");
  await sees(tacos, /^(24h 0m|23h 59m) left$/);

  await signedIn(context, host);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/homepage?tab=groups");
  await expect(card(page, "night owls")).toBeVisible();
  await expect(tacos).toBeVisible();
  expect(
    asked.filter((url) => url.includes(group.id)),
    "no account is asked about a seat's group",
  ).toEqual([]);

  for (const answer of ["Cancel", "Forget"]) {
    await button(page, "Forget midnight tacos").click();
    await answerQuestion(page, answer);
    await expect(tacos).toHaveCount(answer === "Forget" ? 0 : 1);
  }
  expect(await keysOf(page, group)).toEqual([]);
  await page.reload();
  await expect(card(page, "night owls")).toBeVisible();
  await expect(tacos).toHaveCount(0);
});

test("a seat that a page carries itself is on no list", async ({ page, group }) => {
  await page.addInitScript(() =>
    Object.defineProperty(Document.prototype, "cookie", { get: () => "", set: () => {} }),
  );
  await enter(page, group);
  await say(page, "words");
  await expect(line(page, "words")).toBeVisible();
  expect(await keysOf(page, group), "a list would lead to another seat").not.toContain(
    `annon.group.${group.id}`,
  );
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(joined(page)).toHaveCount(0);
});

test("a group whose time is up goes from the list and from the device", async ({ page, group }) => {
  await enter(page, group);
  await page.goto("/about");
  await page.evaluate((room) => {
    const kept = { name: "soon over", ends: Date.now() + 4000 };
    localStorage.setItem(`annon.group.${room}`, JSON.stringify(kept));
  }, group.id);
  await page.goto("/");
  await expect(exactly(card(page, "soon over"), "1m left")).toBeVisible();
  await expect(card(page, "soon over")).toHaveCount(0);
  expect(await keysOf(page, group)).toEqual([]);
});

test("the landing page forgets all of a group that ended meanwhile", async ({ page, context, group }) => {
  await enter(page, group);
  // What a picture is sent with comes from the worker.
  await keptByWorker(page);
  await context.setOffline(true);
  await showPictures(page, [PICTURE]);
  await expect.poll(() => keptPictures(page)).toBe(1);
  await page.getByRole("textbox", { name: "Message" }).fill("said to nobody");
  await expect.poll(() => keysOf(page, group)).toContain(`annon.draft.${group.id}`);
  await page.goto("about:blank");

  await callAs(group.host, "DELETE", `/room/${group.id}`);
  await context.setOffline(false);
  await page.goto("/");
  await expect.poll(() => keysOf(page, group)).toEqual([]);
  await expect.poll(() => keptPictures(page)).toBe(0);
});
