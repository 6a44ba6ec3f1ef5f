/** How a group's screen lies in its window: what opens over it, what moves in it and what stays where it is. */
import assert from "node:assert/strict";
import { withoutCookies } from "./browser.mjs";
import { exact } from "./exact.mjs";
import { takeSeats } from "./members.mjs";
import { box, enter, line, log, newRoom, say, until, withPeople } from "./rooms.mjs";

const fromEnd = (page) =>
  log(page).evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);

async function answerTo(page, words) {
  await line(page, words).click({ button: "right", position: { x: 60, y: 12 } });
  await page.getByRole("menuitem", exact("Reply")).click();
  await page.getByRole("button", exact("Cancel reply")).waitFor();
}

export const groupScreen = {
  "group screen: a window that is high and low again within a frame is still followed to its end": async ({
    browser,
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await page.setViewportSize({ width: 390, height: 500 });
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      for (let at = 0; at < 25; at += 1) await say(other, `line ${at}`);
      await line(page, "line 24").waitFor();
      await page.waitForTimeout(1500);
      const lost = await log(page).evaluate((list) => {
        const screen = list.closest("[style*='--visible']") ?? list.closest("[class*=_screen_]");
        const before = list.scrollTop;
        screen.style.setProperty("--visible", "844px");
        const after = list.scrollTop;
        screen.style.setProperty("--visible", "100dvh");
        return before - after;
      });
      assert.ok(lost > 300, `the browser has scrolled by ${lost} px only`);
      await until("the end again", async () => (await fromEnd(page)) < 2, 3000);
      await say(other, "seen at once");
      await line(page, "seen at once").waitFor();
      await page.waitForTimeout(300);
      assert.ok((await fromEnd(page)) < 2, `the end is ${await fromEnd(page)} px away`);

      // Who scrolls up has left it.
      await log(page).hover();
      await page.mouse.wheel(0, -200);
      await until("scrolled up", async () => (await fromEnd(page)) > 150);
      await say(other, "unseen");
      await until("the title", async () => (await page.title()).startsWith("(1) "));
    });
  },

  "group screen: Escape closes what is open, wherever the focus is, before it does anything else": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await say(page, "to be answered");
    const members = page.getByRole("region", exact("Who’s here"));
    const cancel = page.getByRole("button", exact("Cancel reply"));
    const show = page.getByRole("button", { name: /Show members/ });
    await answerTo(page, "to be answered");
    for (const focus of [
      () => box(page).focus(),
      () => log(page).getByRole("article").first().focus(),
      () => page.evaluate(() => document.activeElement.blur()),
    ]) {
      await show.click();
      await members.waitFor();
      await focus();
      const focused = await page.evaluateHandle(() => document.activeElement);
      await page.keyboard.press("Escape");
      await members.waitFor({ state: "detached" });
      assert.ok(await focused.evaluate((element) => element === document.activeElement));
      assert.equal(await cancel.count(), 1);
    }
    await box(page).focus();
    await page.keyboard.press("Escape");
    await cancel.waitFor({ state: "detached" });
    // From inside, the focus goes back to what opened it.
    await show.click();
    await members.getByRole("button", exact("Close list")).focus();
    await page.keyboard.press("Escape");
    await members.waitFor({ state: "detached" });
    assert.ok(await show.evaluate((button) => button === document.activeElement));
  },

  "group screen: who one is stands in the header, and nowhere else": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    assert.equal(await page.getByText(/^You are /).count(), 1);
    assert.equal(await page.getByTitle(/^You are /).count(), 0);
    assert.ok(
      await page
        .getByRole("banner")
        .getByText(/^You are /)
        .isVisible(),
    );
  },

  "group screen: what blocked cookies mean takes two lines of a phone": async ({ base }) => {
    const { url } = await newRoom(base);
    await withoutCookies(async (page) => {
      await page.addInitScript(() => {
        const language = new URL(location.href).hash === "#de" ? "de-DE" : "en-GB";
        Object.defineProperty(navigator, "languages", { get: () => [language] });
        Object.defineProperty(navigator, "language", { get: () => language });
      });
      for (const [hash, seat, copy] of [
        ["", /Your seat lives in this page only/, "Copy the link for another browser"],
        ["#de", /Dein Platz gilt nur auf dieser Seite/, "Link für anderen Browser kopieren"],
      ]) {
        await page.goto("about:blank");
        await page.goto(url + hash);
        const words = page.getByText(seat);
        await words.waitFor();
        for (const width of [390, 360, 1280]) {
          await page.setViewportSize({ width, height: 844 });
          const rows = await words.evaluate(
            (text) => text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight),
          );
          assert.ok(rows < 2.2, `${rows} rows at ${width} px`);
          assert.ok(await page.getByRole("button", exact(copy)).isVisible());
        }
      }
    });
  },

  "group screen: beside a phone's keyboard, a whole message is in view while one answers": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await page.setViewportSize({ width: 844, height: 390 });
    await enter(page, url);
    for (const words of ["one", "two", "three"]) await say(page, words);
    await line(page, "three").getByTitle("Sent").waitFor();
    await answerTo(page, "three");
    for (const width of [844, 667, 568]) {
      await page.setViewportSize({ width, height: 190 });
      await page.waitForTimeout(500);
      const [slip, head, foot] = [
        await line(page, "three").locator("div").first().boundingBox(),
        await page.locator("header").boundingBox(),
        await page.locator("footer").boundingBox(),
      ];
      assert.ok(slip.y >= head.y + head.height, `${slip.y} is under the header at ${width} px`);
      assert.ok(slip.y + slip.height <= foot.y, `${slip.y + slip.height} is under ${foot.y} at ${width} px`);
      assert.ok(foot.y + foot.height <= 191, `the field ends at ${foot.y + foot.height}`);
      const field = await box(page).boundingBox();
      assert.ok(field.width >= 80, `the field is ${field.width} px wide at ${width} px`);
      for (const button of await page.locator("footer button").all()) {
        if (await button.isVisible()) assert.ok((await button.boundingBox()).height >= 44);
      }
    }
  },

  "group screen: in a wide window the members stand beside the talk": async ({ page, base }) => {
    const { id, url } = await newRoom(base);
    const others = await takeSeats(base, id, 2);
    const members = page.getByRole("region", exact("Who’s here"));
    const toggle = page.getByRole("button", { name: /Show members/ });
    for (const [width, height] of [
      [1100, 700],
      [1280, 800],
      [1920, 1080],
    ]) {
      await page.setViewportSize({ width, height });
      await enter(page, url);
      others[0].say(`first at ${width}`);
      await line(page, `first at ${width}`).waitFor();
      await say(page, `mine at ${width}`);
      await line(page, `mine at ${width}`).getByTitle("Sent").waitFor();
      await until("all three", async () => (await members.getByText("here now").count()) === 3);
      assert.equal(await toggle.count(), 0);
      assert.equal(await members.getByRole("button").count(), 0);
      assert.equal(await page.evaluate(() => history.state.overlays ?? 0), 0);
      // What lies above each other begins and ends at the same places.
      const edges = await page.evaluate(() => {
        const place = (selector) => {
          const found = [...document.querySelectorAll(selector)].at(-1).getBoundingClientRect();
          return { left: Math.round(found.left), right: Math.round(found.right) };
        };
        return {
          side: place("#members"),
          top: place("header"),
          face: place("[role=log] [data-tone]"),
          mine: place("[role=log] [data-mine] > div > div"),
          me: place("form [data-tone]"),
          send: place("form [type=submit]"),
          back: place("header a svg"),
          talk: place("[role=log]"),
        };
      });
      assert.ok(Math.abs(edges.face.left - edges.me.left) <= 2, JSON.stringify(edges));
      assert.ok(Math.abs(edges.mine.right - edges.send.right - 4) <= 2, JSON.stringify(edges));
      assert.ok(Math.abs(edges.back.left - edges.me.left) <= 6, JSON.stringify(edges));
      assert.ok(
        edges.talk.right <= edges.side.left && edges.top.right <= edges.side.left,
        JSON.stringify(edges),
      );
      assert.equal(edges.side.right, width);
    }
    for (const other of others) other.go();
  },

  "group screen: a window that becomes wide takes the open list beside the talk, and keeps the focus":
    async ({ page, base }) => {
      const { url } = await newRoom(base);
      await page.goto(`${base}/about`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await enter(page, url);
      const members = page.getByRole("region", exact("Who’s here"));
      const toggle = page.getByRole("button", { name: /Show members/ });
      const overlays = (count) =>
        until(`${count} entries`, () => page.evaluate((is) => (history.state.overlays ?? 0) === is, count));
      const isFocused = (found) => found.evaluate((element) => element === document.activeElement);
      await toggle.click();
      await members.getByRole("button", exact("Close list")).focus();
      await overlays(1);

      await page.setViewportSize({ width: 1280, height: 800 });
      await overlays(0);
      assert.ok(await members.isVisible());
      assert.ok(await isFocused(members), "the focus stays in the list");
      // Nothing lies over the talk: the key closes nothing, and neither does Back.
      await page.keyboard.press("Escape");
      assert.ok(await members.isVisible());

      await page.setViewportSize({ width: 390, height: 844 });
      await members.waitFor({ state: "hidden" });
      await until("the focus on what opens it", () => isFocused(toggle));
      await overlays(0);
      await toggle.click();
      await members.waitFor();
      await overlays(1);
      await page.goBack();
      await members.waitFor({ state: "hidden" });
      await page.goBack();
      await page.waitForURL(/about$/);
    },

  "group screen: the list of members slides over the talk, which stays where it is": async ({
    browser,
    base,
  }) => {
    const { url } = await newRoom(base);
    await withPeople(
      browser,
      url,
      1,
      async (page) => {
        await say(page, "stays here");
        await line(page, "stays here").getByTitle("Sent").waitFor();
        await page.waitForTimeout(500);
        const members = page.locator("#members");
        const toggle = page.getByRole("button", { name: /Show members/ });
        const height = await log(page).evaluate((list) => list.clientHeight);
        const place = await line(page, "stays here").boundingBox();
        for (const isShown of [true, false]) {
          const slides = page.evaluate(
            () =>
              new Promise((resolve) => {
                document.addEventListener("transitionrun", ({ propertyName, target }) => {
                  if (target.id === "members" && propertyName === "transform") resolve(true);
                });
                setTimeout(() => resolve(false), 3000);
              }),
          );
          await toggle.click();
          assert.ok(await slides, isShown ? "it slides in" : "it slides out");
          await members.waitFor({ state: isShown ? "visible" : "hidden" });
          assert.equal(await log(page).evaluate((list) => list.clientHeight), height);
          assert.deepEqual(await line(page, "stays here").boundingBox(), place);
        }
      },
      { reducedMotion: "no-preference" },
    );
    await withPeople(browser, url, 1, async (page) => {
      await page.getByRole("button", { name: /Show members/ }).click();
      const still = await page
        .locator("#members")
        .evaluate((list) => list.getAnimations().filter(({ playState }) => playState === "running").length);
      assert.equal(still, 0, "nothing moves for who asked for less motion");
    });
  },

  "group screen: what comes and what is sent moves in, and nothing else does": async ({ browser, base }) => {
    const { id, url } = await newRoom(base);
    const others = await takeSeats(base, id, 7);
    const [other] = others;
    // More than a page of the history, no faster than the server takes them.
    for (let at = 0; at < 231; at += 3 * others.length) {
      for (const one of others) for (let more = 0; more < 3; more += 1) one.say("an old line");
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    other.say("the last before");
    const moves = async (page) => {
      await page.addInitScript(() => {
        window.moved = [];
        document.addEventListener("animationstart", ({ target, animationName }) => {
          if (animationName.includes("arrive")) window.moved.push(target.textContent);
        });
      });
      await enter(page, url);
      await line(page, "the last before").waitFor();
    };
    const moved = (page) => page.evaluate(() => window.moved.splice(0).filter((words) => words.length > 8));
    await withPeople(
      browser,
      url,
      1,
      async (page) => {
        await moves(page);
        await page.waitForTimeout(1500);
        assert.deepEqual(await moved(page), [], "on the first draw");
        await say(page, "sent just now");
        await line(page, "sent just now").getByTitle("Sent").waitFor();
        other.say("came just now");
        await line(page, "came just now").waitFor();
        await page.waitForTimeout(400);
        const all = (await moved(page)).join("|");
        assert.match(all, /^[^|]*sent just now[^|]*\|[^|]*came just now[^|]*$/);
        assert.ok((await fromEnd(page)) < 2);

        // Older pages, and back down to what moved in before.
        await until("the first line of all", () =>
          log(page).evaluate((list) => {
            list.scrollTo(0, 0);
            return list.querySelector("time") !== null;
          }),
        );
        await page.getByRole("button", { name: /Jump to latest$/ }).click();
        await line(page, "came just now").waitFor();
        await page.waitForTimeout(500);
        assert.deepEqual(await moved(page), [], "on pages of the history");

        // What was missed stands there.
        await page.context().setOffline(true);
        await page.getByText("You’re offline.").waitFor();
        for (let at = 0; at < 8; at += 1) other.say(`missed while away ${at}`);
        await page.waitForTimeout(500);
        await page.context().setOffline(false);
        await line(page, "missed while away 7").waitFor();
        await page.waitForTimeout(500);
        assert.deepEqual(await moved(page), [], "after a lost connection");
      },
      { reducedMotion: "no-preference" },
    );
    await withPeople(browser, url, 1, async (page) => {
      await page.evaluate(() => {
        window.moved = [];
        document.addEventListener("animationstart", () => window.moved.push("something"));
      });
      other.say("stands there at once");
      await line(page, "stands there at once").waitFor();
      await page.waitForTimeout(300);
      assert.deepEqual(await page.evaluate(() => window.moved), [], "with less motion");
    });
    for (const one of others) one.go();
  },
};
