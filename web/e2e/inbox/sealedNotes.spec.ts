/** A note to somebody whose inbox is sealed: their personal page, as a stranger has it. */
import { sentBy } from "../support/page.ts";
import type { Person } from "../support/people.ts";
import { inboxOf } from "../support/people.ts";
import { sealAs, unseal } from "../support/seal.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const WORDS = "marked words for one pair of eyes";

const box = (page: AppPage) => page.getByLabel("Your anonymous note");
const send = (page: AppPage) => page.button("Send it").click();
const isSealed = (page: AppPage) => expect(page.button("Sealed")).toBeVisible();

async function arrives(page: AppPage, { username }: Person) {
  await expect(page.heading(`Anonymous Message Sent to ${username}`)).toBeVisible();
}

test("a note to a sealed inbox: no request has its words, and its owner's key opens it", async ({
  page,
  person,
}) => {
  const inbox = await sealAs(person);
  const sent: string[] = [];
  sentBy(page, sent);
  await page.visit(inbox.path);
  await isSealed(page);
  await page.sees(`Only ${person.username} can read it.`);
  await page.button("Sealed").click();
  await expect(page.dialog.getByText("can’t read your note")).toBeVisible();
  await page.escape();
  await box(page).fill(WORDS);
  await send(page);
  await arrives(page, person);
  expect(await inbox.notes()).toEqual([WORDS]);
  const [kept] = await inboxOf(person);
  expect(kept).toMatch(/^[\w-]{792}$/);
  const all = sent.join("\n");
  expect(all).toContain(kept);
  expect(all).not.toContain("marked");

  // The next one is sealed as well.
  await page.link("Send another").click();
  await isSealed(page);
  await box(page).fill(`${WORDS}, once more`);
  await send(page);
  await arrives(page, person);
  expect(await inbox.notes()).toEqual([`${WORDS}, once more`, WORDS]);
});

test("a link that names the key takes no other one, and is kept for the next note", async ({
  page,
  person,
}) => {
  const { pinned } = await sealAs(person);
  await page.visit(pinned);
  await isSealed(page);
  await box(page).fill(WORDS);
  await send(page);
  await arrives(page, person);
  await page.link("Send another").click();
  await isSealed(page);
  expect(page.url()).toContain(pinned);

  // Another key takes the place of the first while the page is open.
  const other = await sealAs(person);
  const sent: string[] = [];
  sentBy(page, sent);
  await box(page).fill(WORDS);
  await send(page);
  await expect(page.getByRole("alert")).toContainText("made for another key");
  await expect(box(page)).toHaveValue(WORDS);
  await page.reload();
  await page.sees("made for another key");
  await send(page);
  await expect(page.getByRole("alert")).toContainText("made for another key");
  await unseal(person);
  await page.reload();
  await page.sees("the page doesn’t say so");
  await send(page);
  await expect(page.getByRole("alert")).toContainText("the page doesn’t say so");
  expect(sent.join("\n")).not.toContain("marked");
  expect((await other.notes()).length).toBe(1);
});

test("while the page is open, the key changes, and sealing begins and ends", async ({ page, person }) => {
  await page.visit(`/${person.username}`);
  await box(page).fill(WORDS);
  await expect(page.button("Sealed")).toHaveCount(0);
  const sent: string[] = [];
  sentBy(page, sent);
  const first = await sealAs(person);
  await send(page);
  await arrives(page, person);
  expect(await first.notes()).toEqual([WORDS]);

  await page.link("Send another").click();
  await isSealed(page);
  const second = await sealAs(person);
  await box(page).fill(`${WORDS}: the second`);
  await send(page);
  await arrives(page, person);
  expect((await second.notes())[0]).toBe(`${WORDS}: the second`);

  await page.link("Send another").click();
  await isSealed(page);
  await unseal(person);
  await box(page).fill(`${WORDS}: the third`);
  await send(page);
  await expect(page.getByRole("alert")).toContainText("aren’t sealed any more");
  await expect(page.button("Sealed")).toHaveCount(0);
  expect(sent.slice(-3).join("\n")).not.toContain("marked");
  await send(page);
  await arrives(page, person);
  expect((await inboxOf(person))[0]).toBe(`${WORDS}: the third`);
});

test("a note that got no answer arrives once, also if it is sealed anew after a reload", async ({
  page,
  person,
}) => {
  const inbox = await sealAs(person);
  await page.visit(inbox.path);
  await box(page).fill(WORDS);
  await page.route("**/api/annon-message", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await send(page);
  await expect(page.getByRole("alert")).toContainText(/responding|offline/);
  await page.unroute("**/api/annon-message");
  await page.reload();
  await isSealed(page);
  await expect(box(page)).toHaveValue(WORDS);
  await send(page);
  await arrives(page, person);
  expect(await inbox.notes()).toEqual([WORDS]);
});
