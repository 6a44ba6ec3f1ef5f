/** German words are longer: they fit a phone all the same. */
import assert from "node:assert/strict";
import { register, sendNote, signedIn } from "./people.mjs";

const inGerman = async (browser, work) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "de-DE" });
  try {
    await work(await context.newPage(), context);
  } finally {
    await context.close();
  }
};

export const german = {
  "german: no link of the foot is cut on a phone": async ({ browser, base }) => {
    await inGerman(browser, async (page) => {
      await page.goto(`${base}/login`);
      const links = page.getByRole("contentinfo").getByRole("link");
      await links.first().waitFor();
      const ends = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().right));
      assert.equal(ends.length, 6);
      assert.ok(Math.max(...ends) <= 390 - 16, `the links end at ${ends}`);
    });
  },

  "german: the inbox and what is done with all of it stand in one row": async ({ browser, base }) => {
    const person = await register(base, "auf-deutsch");
    await sendNote(base, person.username, "Wer bist du, wenn keiner schaut?");
    await inGerman(browser, async (page, context) => {
      await signedIn(context, base, person);
      await page.goto(`${base}/homepage?tab=inbox`);
      await page.getByRole("article").waitFor();
      const heading = await page.getByRole("heading", { level: 1 }).boundingBox();
      const button = await page.getByRole("button", { name: "Alle gelesen" }).boundingBox();
      assert.ok(button.x > heading.x + heading.width, "beside it");
      assert.ok(button.y < heading.y && button.y + button.height > heading.y + heading.height, "in one row");
    });
  },
};
