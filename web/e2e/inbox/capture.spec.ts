/** A note as a picture. */
import { readFileSync } from "node:fs";
import { exactly, placeOf } from "../support/page.ts";
import { sendNotes, signedIn } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const PAPERS = { Paper: [253, 240, 215], Night: [23, 19, 43], Hot: [255, 96, 152], Mint: [140, 224, 186] };
const HEIGHTS = { Story: 1920, Square: 1080 };

/** Chooses a shape and a look, and saves the picture. */
async function savedAs(page: AppPage, shape: string, look: string) {
  await page.radio(shape).check();
  await page.radio(look).check();
  await page.waitForTimeout(150);
  const { name, path } = await page.saved(() => page.button("Download").click());
  return { name, png: readFileSync(path) };
}

test("a captured note is drawn in each shape and look, its emoji in colour", async ({ page, account }) => {
  // The system's font here is DejaVu, which has both of these signs in a single colour.
  await sendNotes(account, "Call me \u260e or don't \u{1f621}. https://a.example/and/me");
  await page.goto("/homepage?tab=inbox");
  await expect(page.tab("Inbox")).toBeVisible();
  const note = page.cards.getByText("Call me");
  expect((await page.painted(await note.screenshot())).reds).toBeGreaterThan(60);
  await page.button(/^Capture as image/).click();
  await expect(page.dialog).toBeVisible();
  // A captured note counts as read. The open dialog hides the page from roles, so the test looks for the text.
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

  // The picture shows the whole text of the longest note.
  await page.escape();
  await sendNotes(account, Array.from({ length: 50 }, (_, at) => `${at}.`).join("\n"));
  await expect(page.cards).toHaveCount(2);
  await page
    .button(/^Capture as image/)
    .first()
    .click();
  for (const shape of Object.keys(HEIGHTS)) {
    const { png } = await savedAs(page, shape, "Paper");
    // The upper edge of the card, and with it the heading, is inside the picture.
    expect((await page.painted(png, [540, 4])).at).toEqual([PAPERS.Paper]);
  }
});

for (const locale of ["en-GB", "de-DE"]) {
  test(`on a phone the four styles of a picture are in one row: ${locale}`, async ({ visitor, person }) => {
    await sendNotes(person, "A note that becomes a picture.");
    const page = await visitor({ locale });
    await signedIn(page.context(), person);
    await page.goto("/homepage?tab=inbox");
    await page.button(/^(Capture as image|Als Bild)/).click();
    const styles = page.dialog.locator("fieldset").last().locator("label");
    await expect(styles).toHaveCount(4);
    const places = await Promise.all((await styles.all()).map(placeOf));
    expect(new Set(places.map(({ y }) => y)).size).toBe(1);
    expect(await page.sticksOut()).toBe(0);
  });
}
