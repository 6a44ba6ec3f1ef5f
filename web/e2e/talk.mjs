/** The screen of a group: what is told where there is little room, and what is only there when it is wanted. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { takeSeats } from "./members.mjs";
import { signedIn } from "./people.mjs";
import { enter, line, log, newRoom, say, until, withPeople } from "./rooms.mjs";

/** Letters of this many pixels, as the browser's settings have them. */
async function letters(page, size) {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.enable");
  await browser.send("Page.setFontSizes", { fontSizes: { standard: size, fixed: size } });
}

/** The words in `found` that stand on more than one line, or that are cut. */
const broken = (found) =>
  found.evaluateAll((all) =>
    all.flatMap((one) => {
      const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      const bad = one.scrollWidth > one.clientWidth + 1 ? [`${one.textContent} is cut`] : [];
      while (walker.nextNode()) {
        for (const { index, 0: word } of walker.currentNode.data.matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(walker.currentNode, index);
          range.setEnd(walker.currentNode, index + word.length);
          if (range.getClientRects().length > 1) bad.push(`${word} is broken`);
        }
      }
      return bad;
    }),
  );

export const talk = {
  "talk: who types is told in one line, however many they are": async ({ page, base }) => {
    const { id, url } = await newRoom(base);
    await enter(page, url);
    const members = await takeSeats(base, id, 5);
    const told = page.locator("footer p").first();
    for (const [count, words] of [
      [1, / is typing$/],
      [3, /, .+ and .+ are typing$/],
      [5, /Several people are typing$/],
    ]) {
      // Those of before are told for four seconds.
      await until("silence", async () => (await told.textContent()) === "");
      for (const member of members.slice(0, count)) member.type();
      await told.getByText(words).waitFor();
      const lines = await told.evaluate(({ children: [faces, said] }) => {
        const heights = [faces, said].map((part) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        });
        return Math.max(...heights);
      });
      assert.equal(lines, 1, `${count} typists take ${lines} lines`);
    }
    for (const member of members) member.go();
  },

  "talk: a quote is a third of the window at most": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    const long =
      "A long thing to say, which goes on and on and does not end before the window does, nor after.";
    await say(page, long);
    await line(page, long).click({ button: "right", position: { x: 60, y: 12 } });
    await page.getByRole("menuitem", exact("Reply")).click();
    await say(page, "Is that so?");
    await line(page, "Is that so?").waitFor();
    for (const width of [390, 900]) {
      await page.setViewportSize({ width, height: 844 });
      const quoted = line(page, "Is that so?").getByRole("button").locator("[dir=auto]");
      const box = await quoted.boundingBox();
      assert.ok(box.width > 40 && box.width <= width / 3, `${box.width} of ${width} px`);
    }
  },

  "talk: what is sent has its time on it, and no seconds": async ({ page, base }) => {
    const { url } = await newRoom(base);
    const sent = [];
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(JSON.parse(payload))));
    await enter(page, url);
    await say(page, "What time is it?");
    await line(page, "What time is it?").waitFor();
    const { message } = sent.find(({ message: { event } }) => event === "event.chat");
    assert.match(message.time, /^\d\d:\d\d:00\.000$/);
    const off = Date.now() - Date.parse(`${new Date().toISOString().slice(0, 11)}${message.time}Z`);
    assert.ok(((off % 86_400_000) + 86_400_000) % 86_400_000 < 180_000, `${off} ms off`);
  },

  "talk: with letters twice as large words and the time left stay whole": async ({ page, base, context }) => {
    const { host, url } = await newRoom(base, "owls at night");
    await signedIn(context, base, host);
    await letters(page, 32);
    for (const path of ["/homepage", "/getstarted"]) {
      await page.goto(base + path);
      await page.getByRole("tab").first().waitFor();
      assert.deepEqual(await broken(page.getByRole("tab")), [], path);
    }
    await enter(page, url);
    const left = page.getByRole("banner").getByText(/^\d+h \d+m left$/);
    assert.deepEqual(await broken(left), []);
    const you = page.getByRole("banner").getByText(/^You are /);
    assert.deepEqual(await broken(you), []);
    assert.deepEqual(await broken(page.getByRole("heading", { level: 1 })), []);
  },

  "talk: who one is stands in words, however small the window": async ({ browser, page, base }) => {
    const { url } = await newRoom(base, "a name of twenty sig");
    await enter(page, url);
    await withPeople(browser, url, 1, async () => {
      const you = page.getByRole("banner").getByText(/^You are /);
      for (const width of [320, 360, 390, 1000]) {
        await page.setViewportSize({ width, height: 844 });
        assert.deepEqual(await broken(you), [], `at ${width} px`);
        const [{ x, width: wide }, members] = await Promise.all([
          you.boundingBox(),
          page.locator("[aria-controls=members]").boundingBox(),
        ]);
        assert.ok(x + wide <= members.x, `covered at ${width} px`);
      }
    });
  },

  "talk: nobody is removed by accident": async ({ page, context, base }) => {
    const { id, host, url } = await newRoom(base);
    await signedIn(context, base, host);
    await enter(page, url);
    const [other] = await takeSeats(base, id, 1);
    await page.locator("[aria-controls=members]").click();
    const list = page.getByRole("region", exact("Who’s here"));
    await list.getByRole("listitem").nth(1).waitFor();
    assert.equal(await page.getByRole("button", { name: /^Remove / }).count(), 0);
    assert.equal(await list.getByRole("button", { name: /: more$/ }).count(), 1);
    // Nothing of it is drawn before it is pointed at.
    await page.mouse.move(200, 700);
    const sign = list.getByRole("button", { name: /: more$/ }).locator("svg");
    const opacity = () => sign.evaluate((drawn) => getComputedStyle(drawn).opacity);
    assert.equal(await opacity(), "0");
    await list.getByRole("button", { name: /: more$/ }).hover();
    assert.equal(await opacity(), "1");
    await list.getByRole("button", { name: /: more$/ }).click();
    await page.getByRole("menuitem", { name: /^Remove / }).click();
    await page.getByRole("dialog").getByRole("button", exact("Cancel")).click();
    assert.equal(await list.getByRole("listitem").count(), 2);
    other.go();
  },

  "talk: however long somebody goes on, their face is in view": async ({ page, base }) => {
    const { id, url } = await newRoom(base);
    await enter(page, url);
    const [other] = await takeSeats(base, id, 1);
    for (let at = 0; at < 31; at += 1) {
      other.say(`line ${at}`);
      // As fast as one may.
      await page.waitForTimeout(120);
    }
    await line(page, "line 30").waitFor();
    const faces = () =>
      log(page).evaluate((list) => {
        const seen = list.getBoundingClientRect();
        return [...list.querySelectorAll("[data-tone]")].filter((face) => {
          const { top, bottom } = face.getBoundingClientRect();
          return top >= seen.top && bottom <= seen.bottom;
        }).length;
      });
    await until("a face at the end", async () => (await faces()) === 1);
    // Wherever one scrolls to, also far up in the run.
    for (let step = 0; step < 3; step += 1) {
      await log(page).evaluate((list) => list.scrollBy(0, -200));
      await page.waitForTimeout(150);
      assert.equal(await faces(), 1);
    }
    // And where the run ends, the face ends with it.
    await say(page, "mine\nand\nmine\nand\nmine");
    await line(page, "mine").waitFor();
    await until("it stays beside its run", async () => {
      const [face, own] = await Promise.all([
        log(page).locator("[data-tone]").last().boundingBox(),
        line(page, "mine").boundingBox(),
      ]);
      return face.y + face.height <= own.y;
    });
    other.go();
  },

  "talk: who came and went is one line, and a tap shows each": async ({ page, base }) => {
    const { id, url } = await newRoom(base);
    await enter(page, url);
    const members = await takeSeats(base, id, 4);
    const told = log(page).getByRole("button", { name: /joined/ });
    await log(page)
      .getByRole("button", { name: /, .+ and 3 others joined$/ })
      .waitFor();
    assert.equal(
      await log(page)
        .getByText(/ joined$/)
        .count(),
      1,
    );
    await say(page, "there you are");
    await line(page, "there you are").waitFor();
    await page.waitForTimeout(1500);
    const place = () => line(page, "there you are").boundingBox();
    // Of those who come later a line of their own grows without moving anything.
    members.push(...(await takeSeats(base, id, 1)));
    await until(
      "the line of the next one",
      async () =>
        (await log(page)
          .getByText(/ ?joined$/)
          .count()) === 2,
    );
    const before = await place();
    members.push(...(await takeSeats(base, id, 1)));
    await members[0].leave();
    const later = log(page).getByRole("button", { name: / and .+ joined, .+ left$/ });
    await later.waitFor();
    assert.deepEqual(await place(), before);

    const lines = await log(page).locator("p[dir=auto]").count();
    await told.first().click();
    assert.equal(await told.first().getAttribute("aria-expanded"), "true");
    assert.equal(await log(page).locator("p[dir=auto]").count(), lines + 5);
    const words = await told.allTextContents();
    // What was there before is told as what came live.
    await page.reload();
    await later.waitFor();
    assert.deepEqual(await told.allTextContents(), words);
    for (const member of members) member.go();
  },

  "talk: a day stands above its first line": async ({ browser, page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    for (const words of ["late", "later", "early", "now"]) await say(page, words);
    await line(page, "now").waitFor();
    const context = await browser.newContext({ timezoneId: "Europe/Berlin", locale: "en-GB" });
    await context.addCookies(await page.context().cookies());
    const reader = await context.newPage();
    await reader.clock.setFixedTime(new Date("2026-03-05T12:00:00Z"));
    // An hour before midnight it is midnight there.
    const times = ["20:00:00.000", "21:59:59.000", "22:59:59.000", "23:00:01.000", "11:00:00.000"];
    await reader.route(/\/seat$/, async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.data.messages.forEach((one, at) => {
        one.time = times[at];
      });
      await route.fulfill({ response: answer, json: body });
    });
    await reader.goto(url);
    const days = log(reader).getByRole("separator");
    await days.nth(1).waitFor({ state: "attached" });
    assert.deepEqual(await days.evaluateAll((all) => all.map((day) => day.getAttribute("aria-label"))), [
      "Yesterday",
      "Today",
    ]);
    const [today, early] = await Promise.all([
      days.nth(1).locator("xpath=..").boundingBox(),
      line(reader, "early").boundingBox(),
    ]);
    const later = await line(reader, /^.*later/)
      .last()
      .boundingBox();
    assert.ok(later.y < today.y && today.y < early.y);
    await context.close();
  },

  "talk: the clock stands in the last line where that has room": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await say(page, "short");
    await say(page, "A message that is so long that it takes two lines, short");
    await line(page, "takes two").waitFor();
    const heights = await log(page)
      .locator("[data-emoji]")
      .evaluateAll((all) =>
        all.map((words) => {
          const lines = new Set([...words.getClientRects()].map(({ top }) => top));
          return [words.parentElement.clientHeight, lines.size];
        }),
      );
    assert.deepEqual(heights, [
      [25, 1],
      [50, 2],
    ]);
    // Slips of one person lie apart, and are tight where they meet on that person's side.
    const corners = await log(page)
      .locator("article [data-emoji]")
      .evaluateAll((all) =>
        all.map((words) => getComputedStyle(words.parentElement.parentElement).borderRadius.split(" ")),
      );
    assert.deepEqual(corners, [
      ["20px", "20px", "6px"],
      ["20px", "6px", "20px", "20px"],
    ]);
    const [one, two] = await line(page, "short").all();
    const [above, below] = [await one.boundingBox(), await two.boundingBox()];
    assert.ok(below.y - above.y - above.height >= 2);
  },
};
