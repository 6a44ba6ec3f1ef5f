/** A note as a picture. */
import { readFileSync } from "node:fs";
import { exactly } from "../support/page.ts";
import { sendNotes } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const PAPERS = { Paper: [253, 240, 215], Night: [23, 19, 43], Hot: [255, 96, 152], Mint: [140, 224, 186] };
const HEIGHTS = { Story: 1920, Square: 1080 };

/** The picture as it is saved, once it is drawn as chosen. */
async function savedAs(page: AppPage, shape: string, look: string) {
  await page.radio(shape).check();
  await page.radio(look).check();
  await page.waitForTimeout(150);
  const { name, path } = await page.saved(() => page.button("Download").click());
  return { name, png: readFileSync(path) };
}

test("a captured note is drawn in each shape and look, its emoji in colour", async ({ page, account }) => {
  // DejaVu, which is the system's face here, has both of these in one colour.
  await sendNotes(account, "Call me \u260e or don't \u{1f621}. https://a.example/and/me");
  await page.goto("/homepage?tab=inbox");
  await expect(page.tab("Inbox")).toBeVisible();
  const note = page.cards.getByText("Call me");
  expect((await page.painted(await note.screenshot())).reds).toBeGreaterThan(60);
  await page.button(/^Capture as image/).click();
  await expect(page.dialog).toBeVisible();
  // Being captured is being seen. The dialog hides the page from assistive technology, so this asks the text.
  await expect(exactly(page.locator("article"), "New")).toHaveCount(0);
  for (const [shape, height] of Object.entries(HEIGHTS)) {
    for (const [look, paper] of Object.entries(PAPERS)) {
      const { name, png } = await savedAs(page, shape, look);
      expect(name).toBe(`annon-inbox-${account.username}.png`);
      const drawn = await page.painted(png, [2, 2]);
      expect(drawn).toMatchObject({ width: 1080, height, at: [paper] });
      expect(drawn.reds, `${shape} ${look}: the message is drawn on it`).toBeGreaterThan(600);
    }
  }

  // The longest note is whole in it.
  await page.escape();
  await sendNotes(account, Array.from({ length: 50 }, (_, at) => `${at}.`).join("\n"));
  await expect(page.cards).toHaveCount(2);
  await page
    .button(/^Capture as image/)
    .first()
    .click();
  for (const shape of Object.keys(HEIGHTS)) {
    const { png } = await savedAs(page, shape, "Paper");
    // The card ends below the picture's edge, so that its heading is on it.
    expect((await page.painted(png, [540, 4])).at).toEqual([PAPERS.Paper]);
  }
});
