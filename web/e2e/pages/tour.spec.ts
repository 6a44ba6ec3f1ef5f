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
