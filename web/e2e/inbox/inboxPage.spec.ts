/** The page of an inbox: what is new there, the names of its controls, and its layout on a phone. */
import { exactly, placeOf } from "../support/page.ts";
import { sendNotes } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

const LONG = `A note that is longer than six lines isn't read before it is opened.${"\nAnd so on.".repeat(7)}`;

test("a note that is read in its teaser is read", async ({ page, account }) => {
  await sendNotes(account, LONG, "short, and all there is");
  await page.goto("/homepage?tab=inbox");
  await expect(page).toHaveTitle("(2) Inbox · Annon");
  await expect(page.tab(/1 unread/)).toBeVisible();
  // A long note stays new, however long it is in view.
  await page.waitForTimeout(4500);
  await expect(exactly(page.cards.filter({ hasText: "longer than six lines" }), "New")).toBeVisible();
  await expect(page).toHaveTitle("(1) Inbox · Annon");
  await page.reload();
  await expect(page.tab(/1 unread/)).toBeVisible();
  await page.tab("Home").click();
  await expect(page).toHaveTitle("(1) Home · Annon");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await expect(page).toHaveTitle("Settings · Annon");
});

test("all notes are marked as read at once", async ({ page, account }) => {
  await sendNotes(account, ...Array.from({ length: 53 }, (_, at) => `${at}. ${LONG}`));
  await page.goto("/homepage?tab=inbox");
  await expect(page.tab(/53 unread/)).toBeVisible();
  await page.moreMenu("Mark all as read");
  // The page makes more than fifty calls, one after the other.
  await expect(page.tab("Inbox")).toBeVisible({ timeout: 80_000 });
  await page.button("More").click();
  await expect(page.item("Delete all")).toBeVisible();
  await expect(page.item("Mark all as read")).toHaveCount(0);
  await page.keys("Escape");
  await page.overlays(0);
  await page.reload();
  await expect(page.cards.first()).toBeVisible();
  await expect(page.tab("Inbox")).toBeVisible();
});

test("an inbox begins with its notes", async ({ page, server, account }) => {
  await sendNotes(account, LONG, LONG, LONG);
  await page.goto("/homepage?tab=inbox");
  expect((await placeOf(page.cards.first())).y).toBeLessThan(400);
  await page.button("Copy link").click();
  await page.sees("Anonymous Chat Link Copied to Clipboard");
  expect(await page.clipboard()).toBe(`${server.base}/${account.username}`);
  const code = page.button("QR code");
  const row = page.button(new RegExp(`/ ?${account.username}$`));
  await expect(code).toHaveCount(0);
  await row.click();
  await expect(page.button("Copy link")).toHaveCount(1);
  await code.click();
  for (const kind of ["PNG", "SVG"]) {
    const { name } = await page.saved(() => page.button(`Download ${kind}`).click());
    expect(name).toBe(`annon-${account.username}.${kind.toLowerCase()}`);
  }
  await page.keys("Escape");
  await page.overlays(0);
  await page.reload();
  await expect(page.cards.first()).toBeVisible();
  await expect(code).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.cards.nth(1)).toBeInViewport();
  // The unread badge is directly behind its word.
  const tab = page.tab(/3 unread/);
  const badge = await placeOf(exactly(tab, "3"));
  const wordEnds = await tab.evaluate((link) => {
    const range = document.createRange();
    range.selectNode(link.firstChild ?? link);
    return range.getBoundingClientRect().right;
  });
  expect(Math.abs(badge.x - wordEnds)).toBeLessThan(16);
});

test("the tabs by key and by swipe, and the panel follows the finger", async ({ page, account }) => {
  await sendNotes(account, "a note to look at");
  await page.goto("/homepage");
  // Before that the tabs are those of the frame, which is replaced.
  await expect(page.heading(`Hello, ${account.username}`)).toBeVisible();
  await page.tab("Home").focus();
  await page.keys("ArrowRight", "Enter");
  await page.waitForURL("**/homepage?tab=inbox");
  await expect(page.cards).toBeVisible();
  const finger = await page.finger();
  const left = async () => Math.round((await placeOf(page.getByRole("tabpanel"))).x);
  const rest = await left();
  await finger.down(250, 600);
  for (const x of [230, 220, 210]) await finger.move(x, 600);
  await expect.poll(left).toBe(rest - 40);
  expect(await page.sticksOut()).toBe(0);
  await finger.lift();
  await expect.poll(left).toBe(rest);
  expect(page.url()).toMatch(/\?tab=inbox$/);
  await finger.drag(250, 600, [-30, 0], [-130, 0]);
  await expect(page.heading("My Groups")).toBeVisible();
  expect(await left()).toBe(rest);
  await finger.drag(90, 400, [50, 0], [200, 0]);
  await page.waitForURL("**/homepage?tab=inbox");
  await page.goBack();
  await page.waitForURL("**/homepage?tab=groups");
});

test("an empty inbox has the link with buttons in words, and on a wide screen a note's button has one, too", async ({
  page,
  account,
}) => {
  await page.goto("/homepage?tab=inbox");
  await page.sees("All quiet");
  await expect(exactly(page.button("Copy link"), "Copy link")).toBeVisible();
  await expect(page.button("QR code")).toBeVisible();
  await sendNotes(account, "the first note of all");
  await expect(page.cards).toBeVisible();
  await expect(page.button("QR code")).toHaveCount(0);
  const word = exactly(page.cards, "Capture");
  await expect(word).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(word).toBeVisible();
  // What has no words has a tooltip.
  await expect(page.button("More")).toHaveAttribute("title", "More");
});
