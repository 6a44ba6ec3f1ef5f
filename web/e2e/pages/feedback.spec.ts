import type { Locator } from "@playwright/test";
import { box, enter, groupMenu } from "../support/group.ts";
import { atRest, button, ICON, mayUseClipboard, placeOf, region, sees } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

const FILE = "input[type=file]";

test("feedback with a picture", async ({ page }) => {
  const words = page.getByLabel("Your feedback");
  const chosen = page.getByAltText("The picture you chose");
  await page.goto("/feedback");
  await words.fill("too short");
  await button(page, "Send feedback").click();
  await sees(page, "Feedback must contain over 10 characters");
  await words.fill("The stickers are lovely.");
  await page.setInputFiles(FILE, ICON);
  await expect(chosen).toBeVisible();
  await button(page, "Remove picture").click();
  await expect(chosen).toHaveCount(0);
  await page.setInputFiles(FILE, ICON);
  await button(page, "Send feedback").click();
  await sees(page, "Feedback sent");
  await expect(words).toHaveValue("");
  // A browser tells of no change where the file that is chosen stands already.
  expect(await page.locator(FILE).evaluate((field: HTMLInputElement) => field.files?.length)).toBe(0);
});

test("feedback with a picture as large as a phone's", async ({ page }) => {
  await page.goto("/feedback");
  // A picture that doesn't compress.
  const noise = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1400;
    const context = canvas.getContext("2d");
    const pixels = context?.createImageData(1400, 1400) as ImageData;
    for (let at = 0; at < pixels.data.length; at += 1)
      pixels.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
    context?.putImageData(pixels, 0, 0);
    return canvas.toDataURL("image/png").split(",")[1];
  });
  const buffer = Buffer.from(noise, "base64");
  expect(buffer.length).toBeGreaterThan(5_242_880);
  await page.getByLabel("Your feedback").fill("The stickers are lovely.");
  await page.setInputFiles(FILE, { name: "noise.png", mimeType: "image/png", buffer });
  await expect(page.getByAltText("The picture you chose")).toBeVisible();
  await button(page, "Send feedback").click();
  await sees(page, "Feedback sent");

  const bad = { name: "none.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
  await page.setInputFiles(FILE, bad);
  await sees(page, "We couldn’t read that file as a picture.");
  await expect(page.getByAltText("The picture you chose")).toHaveCount(0);
});

test("a notice covers nothing that is wanted", async ({ page, account: _, group }) => {
  await mayUseClipboard(page);
  const notice = region(page, "Notices").locator("[data-kind]");
  async function coversNone(...wanted: Locator[]) {
    await atRest(page);
    const a = await placeOf(notice);
    for (const one of wanted) {
      const b = await placeOf(one);
      expect(a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom).toBe(false);
    }
  }
  const top = page.getByRole("heading", { level: 1 });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/homepage");
    await button(page, "Copy link").click();
    await coversNone(page.getByRole("tablist"), top);
    await enter(page, group);
    await groupMenu(page, "Copy invite link");
    await coversNone(page.getByRole("banner"), box(page));
  }
  await page.goto("/feedback");
  await page.getByLabel("Your feedback").fill("The stickers are lovely.");
  await button(page, "Send feedback").click();
  await coversNone(page.getByRole("navigation", { name: "Main", exact: true }));
});
