/** The screen of a group: what is told where there is little room, and what is only there when it is wanted. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { takeSeats } from "./members.mjs";
import { signedIn } from "./people.mjs";
import { enter, line, newRoom, say, until, withPeople } from "./rooms.mjs";

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
      for (const width of [320, 360, 390, 1280]) {
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
};
