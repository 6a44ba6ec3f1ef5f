/** The viewer, which shows a picture as large as the window allows, and its gestures. */
import { ICON, PICTURE, sees } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

test("to the next picture by finger and by key, closer, and away", async ({ group, join }) => {
  const page = await join(group, { hasTouch: true, isMobile: true });
  await page.showPictures([PICTURE, ICON], "seen");
  // Both are in one gallery, which has one mark.
  await expect(page.log.getByTitle("Sent", { exact: true })).toHaveCount(1);
  const finger = await page.finger();
  const swipe = (across: number, down: number) =>
    finger.drag(195, 400, [across / 2, down / 2], [across, down]);
  await page.picture("seen").first().tap();
  await sees(page.dialog, "1 of 2");
  await expect(page.dialog.getByText(/^\d\d:\d\d$/)).toBeVisible();
  for (const [go, place] of [
    [() => swipe(-120, 10), "2 of 2"],
    [() => swipe(120, 10), "1 of 2"],
    [() => page.keys("ArrowRight"), "2 of 2"],
    [() => page.keys("ArrowLeft"), "1 of 2"],
  ] as const) {
    await go();
    await sees(page.dialog, place);
  }

  const picture = page.dialog.getByRole("img");
  const width = () => picture.evaluate((image) => image.getBoundingClientRect().width);
  const before = await width();
  await picture.dblclick();
  await expect.poll(width).toBeGreaterThan(before * 2);
  // A swipe moves a picture that is zoomed in, and doesn't lead to the next picture.
  await swipe(-120, 10);
  await sees(page.dialog, "1 of 2");
  await picture.dblclick();
  await expect.poll(width).toBe(before);
  await swipe(5, 140);
  await expect(page.dialog).toHaveCount(0);
});
