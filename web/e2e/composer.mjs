/** Where one writes: the keys, the dialogs' first fields, menus by key, and what is read out behind and in a dialog. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { createRoom, register, sendNote, signedIn } from "./people.mjs";
import {
  box,
  enter,
  ICON,
  line,
  newRoom,
  overlaysGone,
  PICTURE,
  said,
  say,
  showPictures,
  until,
  withPeople,
} from "./rooms.mjs";

/** What has the focus: its label, its name, or its first words. */
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at?.labels?.[0]?.textContent ?? at?.getAttribute("aria-label") ?? at?.textContent?.slice(0, 40);
  });

const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

const gone = (found) => found.waitFor({ state: "detached" });

const paste = (page, name) =>
  page.evaluate((name) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 40;
    return new Promise((resolve) => {
      canvas.toBlob((blob) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([blob], name, { type: "image/png" }));
        const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(event);
        resolve();
      });
    });
  }, name);

async function asCreator(page, context, base) {
  const { host, url } = await newRoom(base);
  await signedIn(context, base, host);
  await enter(page, url);
  return url;
}

const more = (page) => page.getByRole("button", exact("More")).first();

export const composer = {
  "composer: a picture that is pasted is sent by Enter, with what was typed at once": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await box(page).focus();
    await paste(page, "one.png");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await page.keyboard.type("our cat");
    // Another one joins it, wherever the focus is.
    await paste(page, "two.png");
    await dialog.getByRole("button", exact("Show picture 2")).waitFor();
    assert.equal(await focused(page), "Caption");
    await press(page, "Enter");
    await gone(dialog);
    await page.getByRole("button", { name: /^Picture by .*our cat/ }).waitFor();
    await until(
      "both pictures",
      async () => (await page.getByRole("button", { name: /^Picture by/ }).count()) === 2,
    );
    await until("the focus", () => box(page).evaluate((field) => field === document.activeElement));
  },

  "composer: each dialog begins with its first field, or with what only closes it": async ({
    browser,
    page,
    context,
    base,
  }) => {
    const person = await register(base, "first-fields");
    await sendNote(base, person.username, "A note, to be looked at.");
    const { room_id: id } = await createRoom(base, person, "midnight tacos");
    await signedIn(context, base, person);
    const dialog = page.locator("dialog");
    async function begins(open, first) {
      await open();
      await dialog.waitFor();
      assert.match(await focused(page), first);
      await press(page, "Escape");
      await gone(dialog);
    }
    async function visit(path) {
      await overlaysGone(page);
      await page.goto(base + path);
    }
    const button = (name) => page.getByRole("button", { name }).first();
    await visit("/settings");
    await begins(() => button(/^Delete Account/).click(), /^Your password$/i);
    await begins(() => button(/^Change Password/).click(), /^Current password$/);
    await begins(() => button(/^Log Out/).click(), /^Cancel$/);
    await begins(() => button(/^Renew your link/).click(), /^Cancel$/);
    await visit("/homepage");
    await begins(() => button("QR code").click(), /^Close/);
    await visit("/homepage?tab=inbox");
    await begins(() => button(/^(Delete|Remove) all/).click(), /^Cancel$/);
    await begins(() => button(/^Capture/).click(), /^Close/);
    await visit("/homepage?tab=groups");
    await begins(() => page.getByRole("button", { name: /^Delete (?!all)/ }).click(), /^Cancel$/);

    const url = `${base}/room/${id}`;
    await overlaysGone(page);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      await other.setInputFiles("input[type=file]", [ICON]);
      await other.getByRole("dialog").getByRole("button", exact("Send")).click();
      const item = (name) => async () => {
        await more(page).click();
        await page.getByRole("menuitem", { name }).click();
      };
      await begins(item(/QR code/), /^Close/);
      await begins(item(/^Lock/), /^Cancel$/);
      await begins(item(/^Leave/), /^Cancel$/);
      await begins(item(/^Delete group/), /^Cancel$/);
      await begins(() => button(/^Picture by/).click(), /^Close/);
      await begins(() => page.setInputFiles("input[type=file]", [PICTURE]), /^Caption$/);
      await button(/here now/).click();
      const remove = async () => {
        await button(/: more$/).click();
        await page.getByRole("menuitem", { name: /^Remove / }).click();
      };
      await begins(remove, /^Cancel$/);
    });
  },

  "composer: a menu that was opened by Enter does what the second Enter says, each time": async ({
    page,
    context,
    base,
  }) => {
    await asCreator(page, context, base);
    await say(page, "to be answered");
    await line(page, "to be answered").getByTitle("Sent").waitFor();
    const menu = page.getByRole("menu");
    for (let time = 0; time < 2; time += 1) {
      await more(page).focus();
      await press(page, "Enter");
      await menu.waitFor();
      await press(page, "Enter");
      await gone(menu);
      await page.getByText("Group link copied").first().waitFor();
      await press(page, "F6");
      for (const notice of await page.getByRole("region", exact("Notices")).getByRole("button").all())
        await notice.click();
      await page.getByText("Group link copied").waitFor({ state: "detached" });
    }
    await more(page).focus();
    await press(page, "Space");
    await menu.waitFor();
    assert.equal(await focused(page), "Copy invite link");
    await press(page, "Escape");

    // A message's.
    for (let time = 0; time < 2; time += 1) {
      await box(page).focus();
      await press(page, "ArrowUp", "Enter");
      await menu.waitFor();
      await press(page, "Enter");
      await gone(menu);
      await page.getByRole("button", exact("Cancel reply")).waitFor();
      assert.ok(await box(page).evaluate((field) => field === document.activeElement));
      await press(page, "Escape");
    }

    // Opened by hand, nothing in it is chosen beforehand.
    await more(page).click();
    await menu.waitFor();
    assert.equal(await page.getByRole("menuitem").and(page.locator(":focus")).count(), 0);
  },

  "composer: Escape closes one thing at a time, and the reply last": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await say(page, "to be answered");
    await line(page, "to be answered").getByTitle("Sent").waitFor();
    const bar = page.locator("[aria-keyshortcuts=Escape]");
    const dialog = page.getByRole("dialog");
    const atBox = () => box(page).evaluate((field) => field === document.activeElement);

    // With nothing written, up leads to the newest message, and down or Escape back.
    await box(page).focus();
    await press(page, "ArrowUp");
    assert.match(await focused(page), /to be answered/);
    await press(page, "ArrowDown");
    assert.ok(await atBox());
    await press(page, "ArrowUp", "Escape");
    assert.ok(await atBox());
    await press(page, "ArrowUp", "Enter");
    await page.getByRole("menu").waitFor();
    await press(page, "Enter");
    await bar.waitFor();
    assert.equal(await box(page).getAttribute("aria-keyshortcuts"), "ArrowUp");

    // While something is written, it is the field's own key.
    await page.keyboard.type("words");
    await press(page, "ArrowUp");
    assert.ok(await atBox());

    await page.setInputFiles("input[type=file]", [PICTURE]);
    await dialog.waitFor();
    await press(page, "Escape");
    await gone(dialog);
    assert.equal(await bar.count(), 1);
    await line(page, "to be answered").click({ button: "right", position: { x: 60, y: 12 } });
    await page.getByRole("menu").waitFor();
    await press(page, "Escape");
    await gone(page.getByRole("menu"));
    assert.equal(await bar.count(), 1);
    await page.getByRole("button", { name: /here now/ }).click();
    await page.getByRole("button", exact("Close list")).focus();
    await press(page, "Escape");
    await gone(page.getByRole("button", exact("Close list")));
    assert.equal(await bar.count(), 1);
    await box(page).focus();
    await press(page, "Escape");
    await gone(bar);
    assert.equal(await box(page).inputValue(), "words");
    assert.ok(await atBox());
    await page.reload();
    await box(page).waitFor();
    assert.equal(await bar.count(), 0);
  },

  "composer: a dialog that opens takes nothing along that was told before": async ({
    browser,
    page,
    context,
    base,
  }) => {
    const url = await asCreator(page, context, base);
    await withPeople(browser, url, 1, async (other) => {
      await say(other, "an old line");
      await page.locator("body > [aria-live]").getByText("an old line").waitFor({ state: "attached" });
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error("not now"));
        document.execCommand = () => false;
      });
      await more(page).click();
      await page.getByRole("menuitem", exact("Copy invite link")).click();
      const notice = page.getByRole("region", exact("Notices")).locator("[data-kind=error]");
      await notice.waitFor();
      // By now it has been heard.
      await page.waitForTimeout(1200);
      await more(page).focus();
      await press(page, "Enter", "i", "Enter");
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      await page.waitForTimeout(300);
      assert.equal(await dialog.getByRole("region", exact("Notices")).locator("[data-kind]").count(), 0);
      assert.equal(await dialog.getByText("an old line").count(), 0);
      await say(other, "a new line");
      await dialog.locator("[aria-live]").getByText("a new line").waitFor({ state: "attached" });
      await press(page, "Escape");
      await gone(dialog);
      assert.equal(await page.locator("body > [aria-live]").getByText("a new line").count(), 0);
      assert.ok((await said(page)).includes("a new line"));
    });
  },

  "composer: what is written after a picture arrives after it, also over a lost connection and a reload":
    async ({ browser, page, context, base }) => {
      const { url } = await newRoom(base);
      await enter(page, url);
      await withPeople(browser, url, 1, async (other) => {
        const arrived = (...all) =>
          until(all.join(", "), async () => JSON.stringify(await said(other)) === JSON.stringify(all));
        let isSlow = true;
        await page.route("**/upload-image", async (route) => {
          await until("the upload may go on", () => !isSlow);
          await route.continue().catch(() => {});
        });
        await showPictures(page, [ICON], "one");
        await say(page, "two");
        await other.waitForTimeout(1500);
        assert.deepEqual(await said(other), []);
        assert.deepEqual(await said(page), ["one", "two"]);
        isSlow = false;
        await arrived("one", "two");

        // The connection goes while a picture is on its way, and then the page.
        isSlow = true;
        await showPictures(page, [ICON], "three");
        await say(page, "four");
        await context.setOffline(true);
        await say(page, "five");
        await page.waitForTimeout(1000);
        await context.setOffline(false);
        await page.reload();
        isSlow = false;
        await arrived("one", "two", "three", "four", "five");
        assert.deepEqual(await said(page), await said(other));

        // One that is refused says so, and holds up nothing.
        await page.route("**/upload-image", (route) =>
          route.fulfill({ status: 507, json: { status: 507, message: "" } }),
        );
        await showPictures(page, [ICON], "six");
        await say(page, "seven");
        await arrived("one", "two", "three", "four", "five", "seven");
        const retry = page.getByRole("button", exact("Retry"));
        await retry.waitFor();
        await page.unroute("**/upload-image");
        await retry.click();
        await arrived("one", "two", "three", "four", "five", "seven", "six");
      });
    },

  "composer: no empty band above the field, and what is chosen is marked": async ({
    browser,
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      await say(other, "to be answered");
      await line(page, "to be answered").waitFor();
      const [edge, field] = [await page.locator("footer").boundingBox(), await box(page).boundingBox()];
      assert.ok(field.y - edge.y < 24, `${field.y - edge.y} pixels above the field`);
      // Who types is told beside that, and moves nothing.
      await other.waitForTimeout(2100);
      await box(other).pressSequentially("hm");
      await page.getByText(/ is typing$/).waitFor();
      assert.equal((await box(page).boundingBox()).y, field.y);

      const isMarked = () =>
        line(page, "to be answered").evaluate(
          (row) => getComputedStyle(row.querySelector("div")).outlineStyle === "solid",
        );
      assert.equal(await isMarked(), false);
      await line(page, "to be answered").click({ button: "right", position: { x: 60, y: 12 } });
      await page.getByRole("menu").waitFor();
      assert.ok(await isMarked());
      await page.getByRole("menuitem", exact("Reply")).click();
      assert.ok(await isMarked());
      await press(page, "Escape");
      assert.equal(await isMarked(), false);
    });
  },

  "composer: a face's border is whole in the reader's own colours": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await page.emulateMedia({ forcedColors: "active" });
    await enter(page, url);
    const face = page.locator("footer form [data-tone]");
    const shot = (await face.screenshot()).toString("base64");
    // Half way round the corner, where the brackets were open.
    const corner = await page.evaluate(async (data) => {
      const bitmap = await createImageBitmap(
        new Blob([Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))], { type: "image/png" }),
      );
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      const at = Math.round((bitmap.width / 2) * (1 - Math.SQRT1_2) + Math.SQRT1_2 - 0.5);
      return [...context.getImageData(at, at, 1, 1).data.slice(0, 3)];
    }, shot);
    assert.ok(Math.max(...corner) < 128, `the border is ${corner}`);
  },
};
