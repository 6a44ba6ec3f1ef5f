/** The pages of a signed-in user: what is new there, what its controls are called, and what covers what. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { createRoom, register, sendNote, signedIn } from "./people.mjs";
import { box, enter, newRoom, until } from "./rooms.mjs";

const LONG =
  "A note that is longer than two lines of a phone can hold, so that nobody has read it before it is opened. ";

/** Somebody with an inbox, signed in. */
async function reader({ context, base }, name, ...notes) {
  const person = await register(base, name);
  for (const note of notes) await sendNote(base, name, note);
  await signedIn(context, base, person);
  return person;
}

/** Whether two things on the screen cover each other. */
async function overlap(one, other) {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()]);
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const settled = (notice) =>
  notice.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));

export const dashboard = {
  "dashboard: each control is called after its note or its group": async ({ page, context, base }) => {
    const person = await reader({ context, base }, "many-notes", "the first of them", "the second of them");
    await createRoom(base, person, "owls");
    await createRoom(base, person, "tacos");
    await page.goto(`${base}/homepage?tab=inbox`);
    await page.getByRole("article").nth(1).waitFor();
    const when = await page.getByRole("article").first().locator("time").textContent();
    const [date, time] = [when.slice(0, -6).trim(), when.slice(-5)];
    for (const name of ["Read the note from", "Delete the note from"]) {
      assert.equal(
        (await page.getByRole("button", exact(`${name} ${date}, ${time}`)).count()) > 0,
        true,
        name,
      );
    }
    await page.goto(`${base}/homepage?tab=groups`);
    for (const name of ["owls", "tacos"]) {
      for (const [does, role] of [
        [`Share ${name}`, "button"],
        [`QR code of ${name}`, "button"],
        [`Delete ${name}`, "button"],
      ]) {
        await page.getByRole(role, exact(does)).waitFor();
      }
    }
  },

  "dashboard: a note that is read in its teaser is read": async ({ page, context, base }) => {
    await reader({ context, base }, "at-a-glance", LONG.repeat(2), "short, and all there is");
    await page.goto(`${base}/homepage?tab=inbox`);
    await page.getByRole("tab", { name: /2 unread/ }).waitFor();
    assert.equal(await page.title(), "(2) Inbox · Annon");
    await page.getByRole("tab", { name: /1 unread/ }).waitFor();
    await page.waitForTimeout(2500);
    const long = page.getByRole("article").filter({ hasText: "longer than two lines" });
    assert.equal(await long.getByText("New", { exact: true }).count(), 1);
    assert.equal(await page.title(), "(1) Inbox · Annon");
    await page.reload();
    await page.getByRole("tab", { name: /1 unread/ }).waitFor();
    await page.getByRole("tab", exact("Home")).click();
    await until("the title", async () => (await page.title()) === "(1) Home · Annon");
    await page.getByRole("link", exact("Settings")).click();
    await until("the title", async () => (await page.title()) === "Settings · Annon");
  },

  "dashboard: all notes are marked as read at once": async ({ page, context, base }) => {
    const notes = Array.from({ length: 53 }, (_, at) => `${at}. ${LONG.repeat(2)}`);
    await reader({ context, base }, "read-them-all", ...notes);
    await page.goto(`${base}/homepage?tab=inbox`);
    await page.getByRole("tab", { name: /53 unread/ }).waitFor();
    await page.getByRole("button", exact("Mark all as read")).click();
    await page.getByRole("tab", exact("Inbox")).waitFor();
    await until("the focus", () =>
      page.getByRole("heading", exact("My Inbox")).evaluate((at) => at === document.activeElement),
    );
    assert.equal(await page.getByRole("button", exact("Mark all as read")).count(), 0);
    await page.reload();
    await page.getByRole("article").first().waitFor();
    await page.getByRole("tab", exact("Inbox")).waitFor();
  },

  "dashboard: an inbox on a phone begins with its notes": async ({ page, context, base }) => {
    await reader({ context, base }, "little-room", LONG.repeat(2), LONG.repeat(2), LONG.repeat(2));
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${base}/homepage?tab=inbox`);
    const row = page.getByRole("button", { name: /\/little-room$/ });
    const head = page.getByRole("heading", exact("My Inbox"));
    const article = page.getByRole("article").first();
    await article.waitFor();
    assert.ok((await article.boundingBox()).y < 400);
    for (const name of ["Mark all as read", "Delete all"]) {
      const [button, heading] = await Promise.all([
        page.getByRole("button", exact(name)).boundingBox(),
        head.boundingBox(),
      ]);
      assert.ok(button.y < heading.y + heading.height && heading.y < button.y + button.height, name);
    }
    await page.getByRole("button", exact("Copy link")).click();
    await until("the link", async () =>
      (await page.evaluate(() => navigator.clipboard.readText())).endsWith("/little-room"),
    );
    assert.equal(await page.getByRole("button", exact("QR code")).count(), 0);
    await row.click();
    await page.getByRole("button", exact("QR code")).waitFor();
    assert.equal(await page.getByRole("button", exact("Copy link")).count(), 1);
    await page.reload();
    await article.waitFor();
    assert.equal(await page.getByRole("button", exact("QR code")).count(), 0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", exact("QR code")).waitFor();
    assert.equal(await row.count(), 0);
  },

  "dashboard: a panel follows the finger": async ({ page, context, base }) => {
    await reader({ context, base }, "by-finger", "a note to look at");
    await page.goto(`${base}/homepage?tab=inbox`);
    await page.getByRole("article").first().waitFor();
    const finger = await context.newCDPSession(page);
    const touch = (type, ...at) =>
      finger.send("Input.dispatchTouchEvent", { type, touchPoints: at.map((x) => ({ x, y: 600 })) });
    const left = async () => Math.round((await page.getByRole("tabpanel").boundingBox()).x);
    const rest = await left();
    await touch("touchStart", 250);
    for (const x of [230, 220, 210]) await touch("touchMove", x);
    await until("the finger", async () => (await left()) === rest - 40);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await touch("touchEnd");
    await until("its place", async () => (await left()) === rest);
    assert.ok(page.url().endsWith("?tab=inbox"));
    await touch("touchStart", 250);
    for (const x of [220, 180, 120]) await touch("touchMove", x);
    await touch("touchEnd");
    await page.getByRole("heading", exact("My Groups")).waitFor();
    assert.equal(await left(), rest);
  },

  "dashboard: a notice covers nothing that is wanted": async ({ page, context, base }) => {
    await reader({ context, base }, "told-so");
    const notice = page.getByRole("region", exact("Notices")).locator("[data-kind]");
    const { url } = await newRoom(base);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    for (const size of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size);
      await page.goto(`${base}/homepage`);
      await page.getByRole("button", exact("Copy link")).click();
      await notice.waitFor();
      await settled(notice);
      for (const wanted of [page.getByRole("tablist"), page.getByRole("heading", { level: 1 })]) {
        assert.equal(await overlap(notice, wanted), false);
      }
      await enter(page, url);
      await page.getByRole("button", exact("More")).first().click();
      await page.getByRole("menuitem", exact("Copy invite link")).click();
      await notice.waitFor();
      await settled(notice);
      for (const wanted of [page.getByRole("banner"), box(page)]) {
        assert.equal(await overlap(notice, wanted), false);
      }
    }
  },

  "dashboard: one may come back for a new group's link": async ({ page, context, base }) => {
    await reader({ context, base }, "door-opener");
    await page.goto(`${base}/homepage?tab=groups`);
    await page.getByRole("link", exact("Create Group")).click();
    await page.getByLabel("Group name").fill("Council of Owls");
    await page.getByRole("button", exact("Create Group")).click();
    await page.getByRole("link", exact("Open Group")).click();
    await box(page).waitFor();
    const address = page.url();
    await page.goBack();
    await page.getByText(address.replace(/^http:\/\//, "")).waitFor();
    await page.reload();
    await page.getByText(address.replace(/^http:\/\//, "")).waitFor();
    await page.getByRole("button", exact("Create another group")).click();
    await page.getByLabel("Group name").waitFor();
    await page.goBack();
    await page.getByRole("link", exact("Open Group")).waitFor();
    await page.goBack();
    await page.getByRole("heading", exact("My Groups")).waitFor();
  },

  "dashboard: nobody who is signed in is asked to sign in": async ({ page, context, base }) => {
    await page.goto(base);
    await page.getByRole("banner").getByRole("link", exact("Sign Up")).waitFor();
    await reader({ context, base }, "already-in");
    for (const path of ["/", "/about"]) {
      await page.goto(base + path);
      await page.getByRole("banner").getByRole("link", exact("My Inbox")).waitFor();
      assert.equal(await page.getByRole("link", { name: /^Sign (in|up)$/i }).count(), 0, path);
    }
    await page.getByRole("link", exact("My Inbox")).click();
    await page.getByRole("heading", exact("My Inbox")).waitFor();
    await page.goto(`${base}/already-in`);
    await page.getByLabel("Your anonymous message").fill("Nobody will ever know that it was me.");
    await page.getByRole("button", exact("Send it")).click();
    await page.getByRole("link", exact("My Inbox")).waitFor();
    assert.equal(await page.getByRole("link", { name: /^Sign (in|up)$/i }).count(), 0);
  },
};
