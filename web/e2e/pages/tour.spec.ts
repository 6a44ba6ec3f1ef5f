/** The tour: its slides are as high as each other, and its tabs have names where there is space. */
import { exactly, placeOf } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

for (const locale of ["en-GB", "de-DE"]) {
  test(`every slide is as high as the others: ${locale}`, async ({ visitor }) => {
    const page = await visitor({ locale });
    await page.goto("/getstarted");
    await page.takenOver();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const heights = new Set<number>();
      for (const tab of await page.getByRole("tab").all()) {
        await tab.click();
        await expect(tab).toHaveAttribute("aria-selected", "true");
        await expect(page.getByRole("heading", { level: 2 })).toHaveCount(1);
        heights.add((await placeOf(page.getByRole("tabpanel"))).height);
        const name = (await tab.getAttribute("aria-label")) ?? "";
        await expect(exactly(tab, name)).toBeVisible({ visible: width === 1280 });
      }
      expect(heights.size).toBe(1);
    }
  });
}

test("in the dark a slide's words are on something dark, as a form's are", async ({ visitor }) => {
  const page = await visitor({ colorScheme: "dark" });
  await page.goto("/getstarted");
  const slide = page.locator("[role=tabpanel] [data-shown]");
  const colours = () =>
    slide.evaluate((words) => {
      const light = (colour: string) => {
        const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
        return (red + green + blue) / 3 / 255;
      };
      const behind = words.parentElement ?? words;
      return [light(getComputedStyle(behind).backgroundColor), light(getComputedStyle(words).color)];
    });
  const [paper = 1, ink = 0] = await colours();
  expect(paper).toBeLessThan(0.3);
  expect(ink).toBeGreaterThan(0.7);
});
