/** Menus, dialogs and notices: what they do with the focus, with what is behind them, and with one another. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { createRoom, register, signedIn } from "./people.mjs";
import { box, enter, line, newRoom, say, until, withPeople } from "./rooms.mjs";

/** What has the focus: its name, or its first words. */
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at?.getAttribute("aria-label") ?? at?.textContent?.slice(0, 40) ?? "";
  });

const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

const gone = (found) => found.waitFor({ state: "detached" });

/** No sheet reaches into the window's corner. */
const beside = (page) => page.mouse.click(4, 4);

async function asCreator(page, context, base) {
  const { host, url } = await newRoom(base);
  await signedIn(context, base, host);
  await enter(page, url);
  return url;
}

export const dialogs = {
  "dialogs: a group's menu and what it opens, by keyboard alone": async ({ page, context, base }) => {
    await asCreator(page, context, base);
    const more = page.getByRole("button", exact("More")).first();
    const menu = page.getByRole("menu");
    await more.focus();
    await press(page, "Enter");
    await menu.waitFor();
    assert.equal(await more.getAttribute("aria-expanded"), "true");
    await press(page, "End");
    assert.equal(await focused(page), "Delete group");
    await press(page, "ArrowDown");
    assert.equal(await focused(page), "Copy invite link");
    await press(page, "i");
    assert.equal(await focused(page), "Invite by QR code");
    await press(page, "Escape");
    await gone(menu);
    assert.equal(await focused(page), "More");

    // Tab goes on behind the button, as if there had been no menu.
    await press(page, "Enter");
    await menu.waitFor();
    await press(page, "Shift+Tab");
    await gone(menu);
    assert.match(await focused(page), /here now/);

    // A dialog keeps the focus inside, and gives it back to where its menu was opened.
    await more.focus();
    await press(page, "Enter", "i", "Enter");
    const code = page.getByRole("dialog");
    await code.waitFor();
    for (let step = 0; step < 8; step += 1) {
      await press(page, "Tab");
      // Past its last control is the browser's own, where the page has no focus.
      assert.ok(
        await page.evaluate(
          () => document.activeElement === document.body || document.activeElement.closest("dialog") !== null,
        ),
      );
    }
    await press(page, "Escape");
    await gone(code);
    await until("the focus", async () => (await focused(page)) === "More");

    await press(page, "Enter", "End", "Enter");
    const question = page.getByRole("alertdialog");
    await question.waitFor();
    assert.equal(await focused(page), "Cancel");
    await beside(page);
    assert.equal(await question.count(), 1);
    await press(page, "Escape");
    await gone(question);
    await until("the focus", async () => (await focused(page)) === "More");

    await press(page, "Enter", "i", "Enter");
    await code.waitFor();
    await beside(page);
    await gone(code);
    await until("the focus", async () => (await focused(page)) === "More");
  },

  "dialogs: removing somebody leads back to the list": async ({ browser, page, context, base }) => {
    const url = await asCreator(page, context, base);
    await withPeople(browser, url, 1, async (other) => {
      await page.getByRole("button", { name: /here now/ }).click();
      const face = page.getByRole("button", { name: /: more$/ });
      const remove = async () => {
        await press(page, "Enter");
        await page.getByRole("menuitem", { name: /^Remove / }).waitFor();
        await press(page, "Enter");
      };
      await face.focus();
      await remove();
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      await press(page, "Escape");
      await gone(dialog);
      assert.ok(await face.evaluate((button) => button === document.activeElement));

      // Refused: the dialog goes, and what went wrong is told where it can be heard and closed.
      await page.route("**/member/**", (route) =>
        route.fulfill({ status: 500, json: { status: 500, message: "No." } }),
      );
      await remove();
      await dialog.getByRole("button", exact("Remove")).focus();
      await press(page, "Enter");
      await gone(dialog);
      const notices = page.getByRole("region", exact("Notices"));
      const notice = notices.locator("[data-kind=error]");
      await notice.waitFor();
      assert.ok(await notices.evaluate((region) => region.closest("dialog") === null));
      await notice.getByRole("button", exact("Close")).click();
      await gone(notice);
      await page.unroute("**/member/**");

      await face.focus();
      await remove();
      await dialog.getByRole("button", exact("Remove")).focus();
      await press(page, "Enter");
      await other.getByText("You were removed from this group").waitFor();
      await gone(dialog);
      assert.equal(await focused(page), "Close list");
    });
  },

  "dialogs: what is said meanwhile is heard in an open one": async ({ browser, page, context, base }) => {
    const url = await asCreator(page, context, base);
    await withPeople(browser, url, 1, async (other) => {
      const more = page.getByRole("button", exact("More")).first();
      await more.click();
      await page.getByRole("menuitem", exact("Invite by QR code")).click();
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      await say(other, "Are you there?");
      await dialog.locator("[aria-live]").getByText("Are you there?").waitFor({ state: "attached" });
      await dialog.getByRole("button", exact("Close")).click();
      await gone(dialog);
      await say(other, "Hello?");
      await page.locator("body > [aria-live]").getByText("Hello?").waitFor({ state: "attached" });
    });
  },

  "dialogs: a message's menu stays in the window, and one press beside it only closes it": async ({
    browser,
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      for (const words of ["one", "two", "three"]) await say(other, words);
      await line(page, "three").waitFor();
      const menu = page.getByRole("menu");
      const { width, height } = page.viewportSize();
      for (const [words, x] of [
        ["one", 4],
        ["three", 30],
      ]) {
        await line(page, words).click({ button: "right", position: { x, y: 12 } });
        await menu.waitFor();
        const place = await menu.boundingBox();
        assert.ok(place.x >= 0 && place.y >= 0);
        assert.ok(place.x + place.width <= width && place.y + place.height <= height);
        // The field is under the press, and stays as it is.
        const field = await box(page).boundingBox();
        await page.mouse.click(field.x + field.width - 8, field.y + field.height / 2);
        await gone(menu);
        assert.ok(await box(page).evaluate((field) => field !== document.activeElement));
      }
    });
  },

  "dialogs: the page behind stands still": async ({ page, context, base }) => {
    const person = await register(base, "standstill");
    await signedIn(context, base, person);
    await page.setViewportSize({ width: 390, height: 420 });
    await page.goto(`${base}/settings`);
    await page.getByRole("button", { name: /^Log Out/ }).click();
    const question = page.getByRole("alertdialog");
    await question.waitFor();
    const before = await page.evaluate(() => window.scrollY);
    await page.mouse.move(200, 200);
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(200);
    assert.ok(before > 0);
    assert.equal(await page.evaluate(() => window.scrollY), before);
    await press(page, "Escape");
    await gone(question);
    await page.mouse.wheel(0, -400);
    await until("the page", () => page.evaluate((was) => window.scrollY < was, before));
  },

  "dialogs: the focus has a place when what opened one is gone": async ({ page, context, base }) => {
    const person = await register(base, "group-deleter");
    await createRoom(base, person, "midnight tacos");
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage?tab=groups`);
    await page.getByRole("button", { name: /^Delete (?!all)/ }).focus();
    await press(page, "Enter");
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", exact("Delete")).focus();
    await press(page, "Enter");
    await page.getByText("Sorry, no available rooms").waitFor();
    await gone(question);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
  },
};
