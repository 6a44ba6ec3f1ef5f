import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { exact } from "./exact.mjs";
import { keptPictures } from "./keptPictures.mjs";
import { createRoom, PASSWORD, register, sendNote, signedIn, tokenOf } from "./people.mjs";
import { colourAt, imageOf } from "./pixels.mjs";
import { box, enter, newRoom, overlaysGone, PICTURE, showPictures, until, withPeople } from "./rooms.mjs";

const password = (page, label = "Password") => page.getByRole("textbox", exact(label));

async function signIn(page, base, name, secret = PASSWORD) {
  await overlaysGone(page);
  await page.goto(`${base}/login`);
  await page.getByLabel("Username or email").fill(name);
  await password(page).fill(secret);
  await page.getByRole("button", exact("Sign in")).click();
}

const hasFocus = (element) => element.evaluate((node) => node === document.activeElement);

async function cookies(context) {
  return Object.fromEntries((await context.cookies()).map((cookie) => [cookie.name, cookie]));
}

export const journeys = {
  "sign up, sign in": async ({ page, context, base }) => {
    await page.goto(`${base}/signup`);
    await page.getByLabel("Username").fill("first one");
    assert.equal(await page.getByLabel("Username").inputValue(), "first-one");
    await page.getByRole("button", exact("Create account")).click();
    await page.getByText("Invalid Email Address").waitFor();
    await page.getByText("Password must be 8 characters or above").waitFor();
    await page.locator("[name=email]:focus").waitFor();
    await page.getByLabel("Email").fill("first@mail.example");
    await password(page).fill(PASSWORD);
    await page.getByRole("button", exact("Create account")).click();
    await page.getByText("User Account Created").waitFor();
    await page.waitForURL("**/login");

    await page.getByLabel("Username or email").fill("short");
    await password(page).fill(PASSWORD);
    await page.getByRole("button", exact("Sign in")).click();
    await page.getByText("Kindly input valid login credentials").waitFor();
    await page.getByLabel("Username or email").fill("first@mail.example");
    await page.getByText("Kindly input valid login credentials").waitFor({ state: "detached" });
    await password(page).fill("x");
    await page.getByRole("button", exact("Sign in")).click();
    await page.getByText("Kindly input valid login credentials").waitFor();
    await page.locator("[name=password]:focus").waitFor();
    assert.equal(await page.locator("[aria-invalid]").count(), 2);
    await password(page).fill("not the password");
    await page.getByRole("button", exact("Sign in")).click();
    await page.getByText("Wrong username, email or password.").waitFor();
    assert.equal(await password(page).inputValue(), "not the password");
    await page.getByRole("button", exact("Close this message")).click();
    await page.getByText("Wrong username, email or password.").waitFor({ state: "detached" });
    await password(page).fill(PASSWORD);
    await page.getByRole("button", exact("Sign in")).click();
    await page.waitForURL("**/homepage");
    await page.getByText("User Logged In").waitFor();
    await page.getByRole("heading", exact("Hello, first-one")).waitFor();

    const { annon_token: token, _cache_: cache } = await cookies(context);
    for (const cookie of [token, cache]) {
      assert.equal(cookie.sameSite, "Lax");
      const seconds = cookie.expires - Date.now() / 1000;
      assert.ok(seconds > 7100 && seconds <= 7200, `${cookie.name} lasts ${seconds} s`);
    }
    // What is in it is said by no more than half of it.
    assert.match(cache.value, /^[\w-]{683}$/);
    await page.getByText("User Logged In").waitFor({ state: "detached" });
  },

  "a page that needs an account leads to the login": async ({ page, context, base }) => {
    for (const path of ["/homepage", "/settings"]) {
      await page.goto(base + path);
      await page.waitForURL("**/login");
    }
    await context.addCookies([{ name: "annon_token", value: "not.a.token", url: base }]);
    await page.goto(`${base}/homepage`);
    await page.waitForURL("**/login");
  },

  "signed out in another tab: to the login, and back to the new group": async ({ page, context, base }) => {
    const person = await register(base, "two-tabs");
    await signedIn(context, base, person);
    await page.goto(`${base}/room/new`);
    await page.getByLabel("Group name").fill("midnight tacos");
    await context.clearCookies();
    await page.getByRole("button", exact("Create Group")).click();
    await page.waitForURL("**/login");
    await page.getByText("Please sign in to continue.").waitFor();
    await page.getByLabel("Username or email").fill("two-tabs");
    await password(page).fill(PASSWORD);
    await page.getByRole("button", exact("Sign in")).click();
    await page.waitForURL("**/room/new");
    await page.getByLabel("Group name").waitFor();
  },

  "send a note, receive it live, read it, delete it": async ({ page, context, browser, base }) => {
    const person = await register(base, "live-reader");
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage`);
    await page.getByRole("tab", exact("Inbox")).waitFor();

    const stranger = await browser.newContext({ reducedMotion: "reduce" });
    await signedIn(stranger, base, person);
    const sender = await stranger.newPage();
    const anonymous = [];
    sender.on("request", (request) => {
      if (request.url().includes("/api/annon")) anonymous.push(request.allHeaders());
    });
    await sender.goto(`${base}/live-reader`);
    await sender.getByLabel("Your anonymous message").fill("too short");
    await sender.getByRole("button", exact("Send it")).click();
    await sender.getByText("Please Lengthen your message to more than 10 Characters").waitFor();
    const note = "<b>bold</b> see https://a.example/x?y=z 🦊";
    await sender.getByLabel("Your anonymous message").fill(note);
    await sender.getByRole("button", exact("Send it")).click();
    const sent = sender.getByRole("heading", exact("Anonymous Message Sent to live-reader"));
    await sent.waitFor();
    assert.ok(await hasFocus(sent));
    // Signed in, they have an inbox already.
    await sender.getByRole("link", exact("My Inbox")).waitFor();
    await sender.getByRole("button", exact("Send another")).click();
    assert.ok(await hasFocus(sender.getByLabel("Your anonymous message")));
    for (const headers of await Promise.all(anonymous)) {
      assert.equal(headers.cookie, undefined);
      assert.equal(headers.authorization, undefined);
    }
    assert.equal(anonymous.length, 2);
    await stranger.close();

    // Without a reload: the badge, the notice, the card.
    await page.getByText("You have a new anonymous message").waitFor();
    await page.getByRole("tab", { name: /Inbox.*1 unread/ }).click();
    await page.waitForURL("**/homepage?tab=inbox");
    const card = page.getByRole("article");
    await card.getByText("New", { exact: true }).waitFor();
    await card.getByRole("button", { name: /^Read/ }).click();
    await page.getByRole("tab", exact("Inbox")).waitFor();
    assert.equal(await card.getByText("New", { exact: true }).count(), 0);
    const link = card.getByRole("link", exact("https://a.example/x?y=z"));
    assert.equal(await link.getAttribute("target"), "_blank");
    assert.equal(await link.getAttribute("rel"), "noopener noreferrer nofollow");
    assert.ok((await card.textContent()).includes("<b>bold</b>"));

    await page.reload();
    await page.getByRole("article").waitFor();
    assert.equal(await page.getByText("New", { exact: true }).count(), 0);
    await page.getByRole("button", { name: /^Delete (?!all)/ }).click();
    await page.getByRole("alertdialog").getByRole("button", exact("Delete")).click();
    await page.getByText("All quiet").waitFor();
  },

  "all of a closed note opens it, by one button": async ({ page, context, base }) => {
    const person = await register(base, "whole-card");
    await sendNote(base, person.username, "Tap me wherever you like.");
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage?tab=inbox`);
    const words = page.getByText("Tap me wherever you like.");
    await words.scrollIntoViewIfNeeded();
    const { x, y, height } = await words.boundingBox();
    await page.mouse.click(x + 30, y + height / 2);
    await page
      .getByRole("article")
      .getByRole("button", { name: /^Close/ })
      .click();
    assert.equal(await page.getByRole("article").getByRole("button").count(), 3);
    await page
      .getByRole("article")
      .getByRole("button", { name: /^Capture as image/ })
      .click();
    await page.getByRole("dialog").waitFor();
  },

  "after a note is deleted, the one beside it has the focus": async ({ page, context, base }) => {
    const person = await register(base, "clearing-up");
    for (const note of ["the first of them", "the second of them", "the third of them"]) {
      await sendNote(base, person.username, note);
    }
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage?tab=inbox`);
    const card = (words) => page.getByRole("article").filter({ hasText: words });
    for (const [words, next] of [
      ["the second", card("the first")],
      ["the first", card("the third")],
      ["the third", page.getByRole("heading", exact("My Inbox"))],
    ]) {
      await card(words)
        .getByRole("button", { name: /^Delete/ })
        .click();
      await page.getByRole("alertdialog").getByRole("button", exact("Delete")).click();
      await card(words).waitFor({ state: "detached" });
      await until(`after ${words} of them`, () => hasFocus(next));
    }
  },

  "an emptied inbox is empty in every window": async ({ page, context, base }) => {
    const person = await register(base, "all-at-once");
    for (const note of ["the first of them", "the second of them"]) {
      await sendNote(base, person.username, note);
    }
    await signedIn(context, base, person);
    const other = await context.newPage();
    for (const window of [page, other]) {
      await window.goto(`${base}/homepage?tab=inbox`);
      await window.getByRole("tab", { name: /2 unread/ }).waitFor();
    }
    // What is read makes no difference to the count when it goes.
    for (const card of await page.getByRole("article").all()) {
      await card.getByRole("button", { name: /^Read/ }).click();
    }
    await other.getByRole("tab", exact("Inbox")).waitFor();
    await page.getByRole("button", exact("Delete all")).click();
    await page.getByRole("alertdialog").getByRole("button", exact("Cancel")).click();
    assert.equal(await page.getByRole("article").count(), 2);
    await page.getByRole("button", exact("Delete all")).click();
    await page.getByRole("alertdialog").getByRole("button", exact("Delete all")).click();
    for (const window of [page, other]) {
      await window.getByText("All quiet").waitFor();
      assert.equal(await window.getByRole("button", exact("Delete all")).count(), 0);
    }
    await until("the heading has the focus", () => hasFocus(page.getByRole("heading", exact("My Inbox"))));
    await sendNote(base, person.username, "the first of the new ones");
    for (const window of [page, other]) await window.getByRole("tab", { name: /1 unread/ }).waitFor();
  },

  "notes in batches wait, and come when that is switched off": async ({ page, context, base }) => {
    await longBeforeTheQuarter();
    const person = await register(base, "in-batches");
    await signedIn(context, base, person);
    const inbox = await context.newPage();
    await inbox.goto(`${base}/homepage?tab=inbox`);
    await inbox.getByText("your first note will show up here").waitFor();
    await page.goto(`${base}/settings`);
    const batches = page.getByRole("switch", exact("Deliver in batches"));
    await page.locator('[role="switch"][aria-disabled="false"]').waitFor();
    await batches.click();
    await page.getByText("Notes now arrive every 15 minutes").waitFor();
    await inbox.getByText("new notes show up here every 15 minutes").waitFor();
    await sendNote(base, person.username, "nobody can tell when this came");
    await inbox.reload();
    await inbox.getByText("new notes show up here every 15 minutes").waitFor();
    assert.equal(await inbox.getByRole("article").count(), 0);
    await batches.click();
    await page.getByText("Notes now arrive the moment they’re sent").waitFor();
    await inbox.getByRole("tab", { name: /1 unread/ }).waitFor();
    await inbox.getByText("nobody can tell when this came").waitFor();
    await page.reload();
    await page.locator('[role="switch"][aria-checked="false"][aria-disabled="false"]').waitFor();
  },

  "a page that was open before the link was renewed still sends": async ({ page, context, base }) => {
    const person = await register(base, "renewed");
    await page.goto(`${base}/renewed`);
    await page.getByLabel("Your anonymous message").fill("written before, sent after");
    const owner = await context.newPage();
    await signedIn(context, base, person);
    await owner.goto(`${base}/settings`);
    await owner.getByRole("button", { name: /^Renew your link/ }).click();
    await owner.getByRole("alertdialog").getByRole("button", exact("Renew")).click();
    await owner.getByText("Your link has a new ID").waitFor();
    await page.getByRole("button", exact("Send it")).click();
    await page.getByText("Anonymous Message Sent to renewed").waitFor();
    await owner.goto(`${base}/homepage?tab=inbox`);
    await owner.getByText("written before, sent after").waitFor();
  },

  "capture a note and look at the picture": async ({ page, context, base }) => {
    const person = await register(base, "pictured");
    await sendNote(base, person.username, "Draw me, please. https://a.example/and/me 🦊 too");
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage?tab=inbox`);
    await page.getByRole("tab", { name: /1 unread/ }).waitFor();
    await page.getByRole("button", { name: /^Capture as image/ }).click();
    // Being captured is being seen. The dialog hides the page from assistive technology, so this asks the text.
    await page.getByRole("dialog").waitFor();
    await page.locator("article").getByText("New", { exact: true }).waitFor({ state: "detached" });

    for (const [shape, height] of [
      ["Story", 1920],
      ["Square", 1080],
    ]) {
      await page.getByRole("radio", exact(shape)).check();
      for (const [look, paper] of [
        ["Paper", [253, 240, 215]],
        ["Night", [23, 19, 43]],
        ["Hot", [255, 96, 152]],
        ["Mint", [140, 224, 186]],
      ]) {
        await page.getByRole("radio", exact(look)).check();
        await page.waitForTimeout(150);
        const downloading = page.waitForEvent("download");
        await page.getByRole("button", exact("Download")).click();
        const download = await downloading;
        assert.equal(download.suggestedFilename(), "annon-inbox-pictured.png");
        const bytes = readFileSync(await download.path());
        if (process.env.KEEP_CAPTURES)
          await download.saveAs(`${process.env.KEEP_CAPTURES}/${shape}-${look}.png`);
        const image = await imageOf(page, bytes);
        assert.deepEqual([image.width, image.height], [1080, height]);
        assert.deepEqual(colourAt(image, 2, 2), paper);
        assert.ok(
          image.colours > 60,
          `${shape} ${look} has only ${image.colours} colours: nothing is drawn on it`,
        );
      }
    }
  },

  "the picture of the longest note is whole": async ({ page, context, base }) => {
    const person = await register(base, "line-breaker");
    await sendNote(base, person.username, Array.from({ length: 50 }, (_, at) => `${at}.`).join("\n"));
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage?tab=inbox`);
    await page.getByRole("button", { name: /^Capture as image/ }).click();
    for (const shape of ["Story", "Square"]) {
      await page.getByRole("radio", exact(shape)).check();
      await page.waitForTimeout(150);
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", exact("Download")).click();
      const image = await imageOf(page, readFileSync(await (await downloading).path()));
      // The card ends below the picture's edge, so that its heading is on it.
      assert.deepEqual(colourAt(image, 540, 4), [253, 240, 215]);
    }
  },

  "reset the password by the mailed link": async ({ page, server, base }) => {
    await register(base, "forgetful");
    await page.goto(`${base}/reset`);
    await page.getByLabel("Email").fill("not an address");
    await page.getByRole("button", exact("Send link")).click();
    await page.getByText("Invalid Email").waitFor();
    await page.getByLabel("Email").fill("forgetful@mail.example");
    await page.getByRole("button", exact("Send link")).click();
    await page.getByText("If there's an account with this address").waitFor();
    const link = await mailedLink(server, "forgetful");
    assert.ok(link.startsWith(`${base}/reset/`), link);

    await page.goto(link);
    await password(page, "New password").fill("battery staple");
    await password(page, "Confirm new password").fill("battery stable");
    await page.getByRole("button", exact("Save password")).click();
    await page.getByText("Password do not match").waitFor();
    await password(page, "Confirm new password").fill("battery staple");
    await page.getByRole("button", exact("Save password")).click();
    await page.getByText("Password Changed!").waitFor();
    await page.waitForURL("**/login");
    await signIn(page, base, "forgetful", "battery staple");
    await page.waitForURL("**/homepage");

    await page.goto(link);
    await password(page, "New password").fill("battery staple");
    await password(page, "Confirm new password").fill("battery staple");
    await page.getByRole("button", exact("Save password")).click();
    await page.getByText("This link has already been used or is too old. Get a new one.").waitFor();
  },

  "change the password, log out, delete the account": async ({ page, context, base }) => {
    const person = await register(base, "leaving-soon");
    await signedIn(context, base, person);
    await page.goto(`${base}/settings`);
    await page.getByText("leaving-soon@mail.example").waitFor();

    await page.getByRole("button", { name: /^Change Password/ }).click();
    const dialog = page.getByRole("dialog");
    await password(dialog, "Current password").fill("wrong one");
    await password(dialog, "New password").fill("1234");
    await password(dialog, "Confirm new password").fill("1234");
    await dialog.getByRole("button", exact("Change Password")).click();
    await dialog.getByText("Password too short").waitFor();
    await password(dialog, "New password").fill("battery staple");
    await password(dialog, "Confirm new password").fill("battery staple");
    await dialog.getByRole("button", exact("Change Password")).click();
    await dialog.getByText("incorrect password!").waitFor();
    await password(dialog, "Current password").fill(PASSWORD);
    await dialog.getByRole("button", exact("Change Password")).click();
    await page.getByText("Password Changed!").waitFor();
    await dialog.waitFor({ state: "detached" });
    assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ""), /^Change Password/);

    await page.getByRole("button", { name: /^Log Out/ }).click();
    await page.getByText("Are you sure you want to logout").waitFor();
    await page.getByRole("alertdialog").getByRole("button", exact("Log Out")).click();
    await page.waitForURL("**/login");
    assert.deepEqual(Object.keys(await cookies(context)), []);

    await signIn(page, base, "leaving-soon", "battery staple");
    await page.waitForURL("**/homepage");
    await page.goto(`${base}/settings`);
    await page.getByRole("button", { name: /^Delete Account/ }).click();
    const confirm = page.getByRole("dialog").getByRole("button", exact("Delete Account"));
    await password(page, "Your password").fill("1234");
    assert.ok(await confirm.isDisabled());
    await password(page, "Your password").fill("12345");
    await confirm.click();
    await page.getByText("incorrect password!").waitFor();
    await password(page, "Your password").fill("battery staple");
    await confirm.click();
    await page.waitForURL("**/login");
    assert.deepEqual(Object.keys(await cookies(context)), []);
    await signIn(page, base, "leaving-soon", "battery staple");
    await page.getByText("Wrong username, email or password.").waitFor();
  },

  "offline and back": async ({ page, context, base }) => {
    const person = await register(base, "commuter");
    await sendNote(base, person.username, "Before the tunnel.");
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage?tab=inbox`);
    await page.getByText("Before the tunnel.").waitFor();
    await context.setOffline(true);
    await page.getByText("You’re offline. This may be out of date").waitFor();
    await page.getByText("Before the tunnel.").waitFor();
    await sendNote(base, person.username, "Inside the tunnel.");
    await context.setOffline(false);
    await page.getByText("Inside the tunnel.").waitFor();
    await page.getByText("You’re offline.").waitFor({ state: "detached" });
    await sendNote(base, person.username, "After the tunnel.");
    await page.getByText("After the tunnel.").waitFor();
  },

  "a form keeps what was typed when the network is gone": async ({ page, context, base }) => {
    await register(base, "patient-one");
    await page.goto(`${base}/patient-one`);
    await page.getByLabel("Your anonymous message").fill("Written on a train, twice if need be.");
    await context.setOffline(true);
    await page.getByRole("button", exact("Send it")).click();
    await page.getByText("You’re offline. Check your connection and try again.").waitFor();
    assert.equal(
      await page.getByLabel("Your anonymous message").inputValue(),
      "Written on a train, twice if need be.",
    );
    await context.setOffline(false);
    await page.getByRole("button", exact("Send it")).click();
    await page.getByText("Anonymous Message Sent to patient-one").waitFor();
  },

  "feedback with a picture": async ({ page, base }) => {
    await page.goto(`${base}/feedback`);
    await page.getByLabel("Your feedback").fill("too short");
    await page.getByRole("button", exact("Send feedback")).click();
    await page.getByText("Feedback must contain over 10 characters").waitFor();
    await page.getByLabel("Your feedback").fill("The stickers are lovely.");
    const picture = new URL("../public/icon-192.png", import.meta.url).pathname;
    await page.setInputFiles("input[type=file]", picture);
    await page.getByAltText("The picture you chose").waitFor();
    await page.getByRole("button", exact("Remove picture")).click();
    await page.getByAltText("The picture you chose").waitFor({ state: "detached" });
    await page.setInputFiles("input[type=file]", picture);
    await page.getByRole("button", exact("Send feedback")).click();
    await page.getByText("Feedback sent").waitFor();
    assert.equal(await page.getByLabel("Your feedback").inputValue(), "");
    // A browser tells of no change where the file that is chosen stands already.
    assert.equal(await page.locator("input[type=file]").evaluate(({ files }) => files.length), 0);
  },

  "feedback with a picture as large as a phone's": async ({ page, base }) => {
    await page.goto(`${base}/feedback`);
    const buffer = Buffer.from(await page.evaluate(noise, 1400), "base64");
    assert.ok(buffer.length > 5_242_880, `the picture has ${buffer.length} bytes`);
    await page.getByLabel("Your feedback").fill("The stickers are lovely.");
    await page.setInputFiles("input[type=file]", { name: "noise.png", mimeType: "image/png", buffer });
    await page.getByAltText("The picture you chose").waitFor();
    await page.getByRole("button", exact("Send feedback")).click();
    await page.getByText("Feedback sent").waitFor();

    await page.setInputFiles("input[type=file]", {
      name: "none.png",
      mimeType: "image/png",
      buffer: Buffer.from("no picture"),
    });
    await page.getByText("We couldn’t read that file as a picture.").waitFor();
    await page.getByAltText("The picture you chose").waitFor({ state: "detached" });
  },

  "a notice leaves the links of a wide header free": async ({ page, base }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${base}/feedback`);
    await page.getByLabel("Your feedback").fill("The stickers are lovely.");
    await page.getByRole("button", exact("Send feedback")).click();
    const notice = page.getByText("Feedback sent");
    await notice.waitFor();
    const header = await page.getByRole("navigation", exact("Main")).boundingBox();
    assert.ok((await notice.boundingBox()).y > header.y + header.height);
  },

  "on a phone, nothing stands alone on a line": async ({ page, base }) => {
    const lines = (links) =>
      links.evaluateAll((all) => {
        const tops = all.map((link) => Math.round(link.getBoundingClientRect().top));
        return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
      });
    for (const width of [320, 390, 430]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`${base}/getstarted`);
      await page.getByRole("tab").first().waitFor();
      assert.deepEqual(await lines(page.getByRole("tab")), [3, 2]);
      await page.goto(`${base}/expired`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      const footer = page.getByRole("navigation", exact("Footer"));
      assert.deepEqual(await lines(footer.getByRole("link")), [3, 3]);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    }
  },

  "tabs by keyboard and by swipe": async ({ page, context, base }) => {
    const person = await register(base, "tabulator");
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage`);
    await page.getByRole("tab", exact("Home")).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/homepage?tab=inbox");
    await page.getByText("All quiet").waitFor();
    await swipe(page, -200);
    await page.waitForURL("**/homepage?tab=groups");
    await swipe(page, 200);
    await page.waitForURL("**/homepage?tab=inbox");
    await page.goBack();
    await page.waitForURL("**/homepage?tab=groups");
  },

  "in the reader's own colours, what is chosen is to be seen": async ({ page, context, base }) => {
    const person = await register(base, "high-contrast");
    await signedIn(context, base, person);
    await page.emulateMedia({ forcedColors: "active" });
    const backgrounds = (elements) =>
      elements.evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).backgroundColor))]);
    const choices = {
      "/homepage": "[role=tab]|[aria-selected=true]",
      "/getstarted": "[role=tab]|[aria-selected=true]",
      "/about": "header li a|[aria-current]",
      "/room/new": "[type=radio] + span|:checked + span",
    };
    for (const [path, selectors] of Object.entries(choices)) {
      const [each = "", chosen = ""] = selectors.split("|");
      await page.goto(base + path);
      await page.locator(chosen).first().waitFor();
      const [others, ...more] = await backgrounds(page.locator(`${each}:not(${chosen})`));
      assert.deepEqual(more, [], path);
      const highlighted = await backgrounds(page.locator(each).and(page.locator(chosen)));
      assert.equal(highlighted.length, 1, path);
      assert.notEqual(highlighted[0], others, path);
    }
    // The edge of the message box is drawn then, and has to follow the box round its corners.
    await enter(page, (await newRoom(base)).url);
    const radii = await box(page).evaluate((field) => [
      getComputedStyle(field).borderStartStartRadius,
      getComputedStyle(field).borderEndStartRadius,
    ]);
    assert.deepEqual(radii, ["22px", "22px"]);
  },

  "one's own groups": async ({ page, context, base }) => {
    const person = await register(base, "group-maker");
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage?tab=groups`);
    await page.getByText("Sorry, no available rooms at the moment. Create one now").waitFor();
    const { room_id: id } = await createRoom(base, person, "midnight tacos");
    await page.reload();
    const link = page.getByRole("link", { name: /midnight tacos/ });
    assert.equal(await link.getAttribute("href"), `${base}/room/${id}`);
    assert.equal(await link.getAttribute("target"), "_blank");
    await page.getByText(/^Created /).waitFor();
    const cookie = (await cookies(context))[id];
    assert.match(cookie.value, /^[\w-]{43}$/);

    // A theme is chosen for a tab, and a group opens in another.
    await page.goto(`${base}/settings`);
    await page.getByRole("button", exact("Switch to dark mode")).click();
    await page.goto(`${base}/homepage?tab=groups`);
    const opening = context.waitForEvent("page");
    await link.click();
    const room = await opening;
    await box(room).waitFor();
    assert.equal(await room.evaluate(() => document.documentElement.dataset.theme), "dark");
    await room.close();

    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page
      .getByRole("article")
      .getByRole("button", { name: /^Share/ })
      .click();
    await page.getByText("Group link copied to clipboard").waitFor();
    await page
      .getByRole("article")
      .getByRole("button", { name: /^Delete/ })
      .click();
    await page.getByRole("alertdialog").getByRole("button", exact("Delete")).click();
    await page.getByText("Sorry, no available rooms").waitFor();
  },

  "the unread badge is at its own word": async ({ page, context, base }) => {
    await signedIn(context, base, await register(base, "badge-holder"));
    await sendNote(base, "badge-holder", "One note is enough.");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${base}/homepage`);
    const tab = page.getByRole("tab", { name: /1 unread/ });
    const badge = await tab.getByText("1", exact("1")).boundingBox();
    const word = await tab.evaluate((link) => {
      const range = document.createRange();
      range.selectNode(link.firstChild);
      return range.getBoundingClientRect().right;
    });
    assert.ok(Math.abs(badge.x - word) < 16, `the badge is ${badge.x - word} pixels from its word`);
  },

  "create a group": async ({ page, context, base }) => {
    const person = await register(base, "room-opener");
    await signedIn(context, base, person);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${base}/homepage`);
    await page.getByRole("link", exact("Create Group")).click();
    await page.waitForURL("**/room/new");
    const name = page.getByLabel("Group name");
    const create = page.getByRole("button", exact("Create Group"));
    await name.fill("owl");
    assert.equal(await create.count(), 0);
    await page.keyboard.press("Enter");
    await page.getByText("Group name must be 4 characters or above").waitFor();

    const wand = page.getByRole("button", exact("Suggest a name"));
    const suggested = new Set();
    for (let press = 0; press < 5; press += 1) {
      await wand.click();
      suggested.add(await name.inputValue());
    }
    assert.ok(suggested.size > 1, "the wand always suggests the same name");
    await page.getByText("The group is deactivated after 24 hours").waitFor();
    await page.getByRole("radio", exact("2 hours")).check();
    await page.getByText("The group is deactivated after 2 hours").waitFor();

    await context.setOffline(true);
    await create.click();
    await page.getByText("You’re offline. Check your connection and try again.").waitFor();
    const kept = await name.inputValue();
    assert.ok(suggested.has(kept), `the name became ${kept}`);
    await page.locator("[name=name]:focus").waitFor();
    await context.setOffline(false);
    await create.click();

    const open = page.getByRole("link", exact("Open Group"));
    const address = new URL(await open.getAttribute("href"), base);
    const [, , id] = address.pathname.split("/");
    await page.getByRole("button", exact("Copy")).click();
    await page.getByText("Group link copied to clipboard").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address.href);
    const cookie = (await cookies(context))[id];
    assert.match(cookie.value, /^[\w-]{43}$/);
    const seconds = cookie.expires - Date.now() / 1000;
    assert.ok(seconds > 7100 && seconds <= 7200, `the group's cookie lasts ${seconds} s`);

    await page.getByRole("button", exact("QR code")).click();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", exact("Download PNG")).click();
    assert.match((await downloading).suggestedFilename(), /^annon-[\p{L}\p{N}-]+\.png$/u);
    await page.keyboard.press("Escape");

    // Opening the page alone would take a seat, so the end of the group is read where no seat is needed.
    const { data } = await (await fetch(`${base}/api/room/${id}`)).json();
    assert.equal(data.name, kept);
    const left = data.expire_at - Date.now() / 1000;
    assert.ok(left > 7100 && left <= 7200, `the group lasts ${left} s`);
    await open.click();
    await page.waitForURL(address.href);
  },

  "the landing page forgets all of a group that ended meanwhile": async ({ page, context, base }) => {
    const { host, id, url } = await newRoom(base);
    await enter(page, url);
    // What a picture is sent with comes from the worker.
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
    await context.setOffline(true);
    await showPictures(page, [PICTURE]);
    const kept = () => whatIsKept(page, id);
    await until("the picture waits", async () => (await kept()).pictures === 1);
    await box(page).fill("said to nobody");
    await until("the draft is kept", async () => (await kept()).keys.includes(`annon.draft.${id}`));
    await page.goto("about:blank");

    const bearer = { Authorization: `Bearer ${await tokenOf(base, host)}` };
    await fetch(`${base}/api/room/${id}`, { method: "DELETE", headers: bearer });
    await context.setOffline(false);
    await page.goto(base);
    await until("nothing is left", async () => {
      const { keys, pictures } = await kept();
      return keys.length === 0 && pictures === 0;
    });
  },

  "out of a group, its name is out of the tab": async ({ browser, page, context, base }) => {
    const { host, id, url } = await newRoom(base, "secret society");
    await signedIn(context, base, host);
    await enter(page, url);
    await withPeople(browser, url, 2, async (leaving, kicked) => {
      const face = await kicked.evaluate((room) => localStorage.getItem(room), id);
      await leaving.getByRole("button", exact("More")).first().click();
      await leaving.getByRole("menuitem", exact("Leave group")).click();
      await leaving.getByRole("alertdialog").getByRole("button", exact("Leave")).click();
      await leaving.getByRole("heading", exact("You left the group")).waitFor();
      await until(
        "the title of who left",
        async () => (await leaving.title()) === "You left the group · Annon",
      );

      const bearer = { Authorization: `Bearer ${await tokenOf(base, host)}` };
      const member = `${base}/api/room/${id}/member/${encodeURIComponent(face)}`;
      await fetch(member, { method: "DELETE", headers: bearer });
      await kicked.waitForURL("**/roomfull?why=kicked");
      await kicked.getByText("Its creator removed you. You can’t come back with this browser.").waitFor();
      await until(
        "the title of who was removed",
        async () => (await kicked.title()) === "Removed from the group · Annon",
      );
    });
  },

  "the app opens without a network, and comes back with it": async ({ page, context, base }) => {
    const person = await register(base, "tunnel-rider");
    await sendNote(base, person.username, "Nothing of me may be kept.");
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage?tab=inbox`);
    await page.getByText("Nothing of me may be kept.").waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready);

    const kept = await page.evaluate(async () => {
      const requests = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
      );
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    assert.ok(kept.includes("/") && kept.length > 20, `${kept.length} files are kept`);
    assert.deepEqual(
      kept.filter((path) => !/^\/(assets\/[\w-]+\.\w+|favicon\.svg|manifest\.webmanifest)?$/.test(path)),
      [],
    );

    await context.setOffline(true);
    await page.reload();
    await page.getByText("You’re offline.").waitFor();
    assert.equal(await page.getByText("Nothing of me may be kept.").count(), 0);
    await page.goto(`${base}/about`);
    await page.getByRole("heading", { level: 1, name: "About us" }).waitFor();
    await page.goto(`${base}/homepage?tab=inbox`);
    await page.getByText("You’re offline.").waitFor();
    await sendNote(base, person.username, "Sent while you were away.");
    await context.setOffline(false);
    await page.getByText("Sent while you were away.").waitFor();
    await page.getByText("You’re offline.").waitFor({ state: "detached" });
  },

  "a page that misses a file of its version loads the new one": async ({ page, base }) => {
    await page.goto(base);
    await page.getByRole("heading", { level: 1 }).waitFor();
    let asked = 0;
    await page.route("**/assets/reading-*.js", (route) => {
      asked += 1;
      return asked === 1
        ? route.fulfill({ status: 404, body: "There is no such file.\n" })
        : route.continue();
    });
    await page.getByRole("navigation").getByRole("link", exact("About us")).first().click();
    await page.getByRole("heading", { level: 1, name: "About us" }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/about");
    assert.equal(asked, 2);
  },

  "getting started: by key and by swipe, in the dark": async ({ page, base }) => {
    await page.goto(`${base}/getstarted`);
    const chosen = () => page.getByRole("tab", { selected: true }).textContent();
    await page.getByRole("tab", exact("Connect")).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("heading", exact("Notes without a sender")).waitFor();
    assert.equal(await chosen(), "Inbox");
    await swipe(page, -200);
    await page.getByRole("heading", exact("Turn it into a picture")).waitFor();
    await swipe(page, 200);
    await page.getByRole("heading", exact("Notes without a sender")).waitFor();
    for (const slide of ["Capture", "Groups", "Privacy"]) {
      await page.getByRole("button", exact("Next")).click();
      assert.equal(await chosen(), slide);
    }
    await page.getByRole("link", exact("Sign Up")).waitFor();

    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.getByRole("button", exact("Switch to dark mode")).click();
    const dark = await paper();
    assert.notEqual(dark, light);
    assert.deepEqual(await page.evaluate(() => [sessionStorage.theme, localStorage.theme]), [
      "dark",
      undefined,
    ]);
    await page.reload();
    await page.getByRole("button", exact("Switch to light mode")).waitFor();
    assert.equal(await paper(), dark);
  },

  "in the other language, from the first page on": async ({ page, base }) => {
    await page.goto(`${base}/login`);
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("heading", { level: 1, name: /Hallo/ }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
    await page.getByLabel("Benutzername oder E-Mail").fill("niemand-hier");
    await password(page, "Passwort").fill("falsch, leider");
    await page.getByRole("button", exact("Anmelden")).click();
    await page.getByText("Benutzername, E-Mail-Adresse oder Passwort stimmt nicht.").waitFor();
    await page.goto(base);
    await page.getByRole("navigation").first().getByRole("link", exact("Über uns")).waitFor();
  },

  "the link's code leads to the link": async ({ page, context, base }) => {
    const person = await register(base, "qr-person");
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage`);
    await page.getByRole("button", exact("QR code")).click();
    for (const [button, name] of [
      ["Download PNG", "annon-qr-person.png"],
      ["Download SVG", "annon-qr-person.svg"],
    ]) {
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", exact(button)).click();
      assert.equal((await downloading).suggestedFilename(), name);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", exact("Copy link")).click();
    await page.getByText("Anonymous Chat Link Copied to Clipboard").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${base}/qr-person`);
  },
};

/** What the device holds of a group. */
async function whatIsKept(page, id) {
  const keys = await page.evaluate((end) => Object.keys(localStorage).filter((key) => key.endsWith(end)), id);
  return { keys, pictures: await keptPictures(page) };
}

/** A picture that doesn't compress, in base64: as wide as it is high. */
async function noise(side) {
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(side, side);
  for (let at = 0; at < pixels.data.length; at += 1)
    pixels.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL("image/png").split(",")[1];
}

async function mailedLink(server, username) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const mail = (await server.mails()).findLast((text) => text.includes(username));
    const link = mail?.replace(/=\r?\n/g, "").match(/https?:\/\/\S+\/reset\/[\w-]+/)?.[0];
    if (link) return link;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("no mail came");
}

async function swipe(page, across) {
  await page.getByRole("tablist").evaluate((panel, distance) => {
    const at = (x) => [new Touch({ identifier: 1, target: panel, clientX: x, clientY: 400 })];
    const fire = (type, touches, changedTouches) =>
      panel.dispatchEvent(new TouchEvent(type, { bubbles: true, touches, changedTouches }));
    fire("touchstart", at(200), at(200));
    fire("touchend", [], at(200 + distance));
  }, across);
}

/** Batches are delivered at full quarters of an hour; a journey that shows what waits must not meet one. */
async function longBeforeTheQuarter() {
  const left = 900_000 - (Date.now() % 900_000);
  if (left < 45_000) await new Promise((done) => setTimeout(done, left + 1_000));
}
