/** Who is meant by a message: chosen by keys or a tap, shown by name, and told so. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { box, line, log, newRoom, say, until, withPeople } from "./rooms.mjs";

const offers = (page) => page.getByRole("listbox", exact("Who do you mean?")).getByRole("option");
/** One's own face stands beside the field. */
const faceOf = (page) => page.locator("form [data-tone]").first().textContent();
const chip = (page, words) => line(page, words).locator("[data-mention]");

/** Counts the tones that a page plays. */
async function listen(page) {
  await page.addInitScript(() => {
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...at) {
      window.tones += 1;
      return start.apply(this, at);
    };
  });
  await page.reload();
  await box(page).waitFor();
}
const tones = (page) => page.evaluate(() => window.tones);

export const mentions = {
  "mentions: chosen by keys, undone, sent, shown by name in the reader's language": async ({
    browser,
    base,
  }) => {
    const { url } = await newRoom(base);
    await withPeople(browser, url, 2, async (one, two) => {
      const [mine, others] = [await faceOf(one), await faceOf(two)];
      await box(one).pressSequentially("hey @");
      await offers(one).first().waitFor();
      assert.equal(await offers(one).count(), 1);
      await box(one).press("Escape");
      await offers(one).first().waitFor({ state: "detached" });
      assert.equal(await box(one).inputValue(), "hey @");
      await box(one).fill("");
      await box(one).pressSequentially("hey @");
      await box(one).press("Enter");
      assert.equal(await box(one).inputValue(), `hey @${others} `);
      await box(one).press("Control+z");
      assert.equal(await box(one).inputValue(), "hey @");
      await box(one).press("Control+Shift+z");
      await box(one).pressSequentially("come");
      await box(one).press("Enter");
      await chip(two, "hey").waitFor();
      assert.equal(await chip(two, "hey").getAttribute("data-mention"), others);
      assert.match(await chip(two, "hey").textContent(), new RegExp(`^@${others}\\p{Lu}`, "u"));
      assert.equal(await line(two, "hey").locator("[data-mentioned]").count(), 1);
      assert.equal(await line(one, "hey").locator("[data-mentioned]").count(), 0);

      // What is copied is the face again, which every reader has a name for.
      const copied = await line(two, "hey").evaluate((row) => {
        getSelection().selectAllChildren(row.querySelector("[data-emoji]"));
        return getSelection().toString();
      });
      assert.equal(copied, `hey @${others} come`);
      await two.reload();
      await chip(two, "hey").waitFor();

      await say(two, `@🦓 is nobody, <b>@${mine}</b>`);
      await line(one, "is nobody").waitFor();
      assert.equal(await chip(one, "is nobody").count(), 1);
      assert.equal(await line(one, "is nobody").locator("b").count(), 0);
    });
  },

  "mentions: who is meant while away is told by the tab and by the button to the end": async ({
    browser,
    base,
  }) => {
    const { url } = await newRoom(base);
    await withPeople(browser, url, 2, async (one, two) => {
      const others = await faceOf(two);
      for (let at = 0; at < 30; at += 1) await say(one, `line ${at}`);
      await line(two, "line 29").waitFor();
      await log(two).evaluate((list) => list.scrollTo(0, 0));
      await two.getByRole("button", exact("Jump to latest")).waitFor();
      await say(one, "for all");
      await two.getByRole("button", exact("1 new. Jump to latest")).waitFor();
      await say(one, `for @${others}`);
      const end = two.getByRole("button", exact("2 new, and you were mentioned. Jump to latest"));
      await end.waitFor();
      assert.equal((await end.textContent()).trim(), "@2");
      assert.match(await two.title(), /^\(@2\) /);
      await end.click();
      await until("the title is as before", async () => !(await two.title()).startsWith("("));
    });
  },

  "mentions: what comes is heard by whoever doesn't look, unless it is muted": async ({ browser, base }) => {
    const { url } = await newRoom(base);
    await withPeople(browser, url, 2, async (one, two) => {
      await listen(two);
      for (let at = 0; at < 30; at += 1) await say(one, `line ${at}`);
      await line(two, "line 29").waitFor();
      assert.equal(await tones(two), 0, "whoever looks needs no sound");
      await box(two).click();
      await log(two).evaluate((list) => list.scrollTo(0, 0));
      await two.getByRole("button", exact("Jump to latest")).waitFor();
      await say(one, "one");
      await say(one, "two");
      await two.getByRole("button", exact("2 new. Jump to latest")).waitFor();
      assert.equal(await tones(two), 1, "one sound a second");
      await two.getByRole("button", exact("More")).first().click();
      await two.getByRole("menuitem", exact("Mute sounds")).click();
      await two.waitForTimeout(1100);
      await say(one, "three");
      await two.getByRole("button", exact("3 new. Jump to latest")).waitFor();
      assert.equal(await tones(two), 1, "muted");
    });
  },
};
