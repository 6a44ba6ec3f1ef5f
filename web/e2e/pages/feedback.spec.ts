import type { Locator } from "@playwright/test";
import { ICON, placeOf } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

const FILE = "input[type=file]";

test("feedback with a picture", async ({ page }) => {
  const words = page.getByLabel("Your feedback");
  const chosen = page.getByAltText("The photo you chose");
  await page.goto("/feedback");
  await words.fill("too short");
  await page.button("Send feedback").click();
  await page.sees("Feedback must contain over 10 characters");
  await words.fill("The stickers are lovely.");
  await page.setInputFiles(FILE, ICON);
  await expect(chosen).toBeVisible();
  await page.button("Remove photo").click();
  await expect(chosen).toHaveCount(0);
  await page.setInputFiles(FILE, ICON);
  await page.button("Send feedback").click();
  await page.sees("Feedback sent");
  await expect(words).toHaveValue("");
  // A browser tells of no change where the file that is chosen stands already.
  expect(await page.locator(FILE).evaluate((field: HTMLInputElement) => field.files?.length)).toBe(0);

  // A picture that is as large as a phone's, for it doesn't compress.
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
  await words.fill("The stickers are lovely.");
  await page.setInputFiles(FILE, { name: "noise.png", mimeType: "image/png", buffer });
  await expect(chosen).toBeVisible();
  // What was sent before has been told, and the notice is gone.
  await expect(page.getByText("Feedback sent")).toHaveCount(0);
  await page.button("Send feedback").click();
  await page.sees("Feedback sent");

  const bad = { name: "none.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
  await page.setInputFiles(FILE, bad);
  await page.sees("We couldn’t read that file as a photo.");
  await expect(chosen).toHaveCount(0);
});

test("a notice covers nothing that is wanted", async ({ page, account: _, group }) => {
  await page.mayUseClipboard();
  const notice = page.region("Notices").locator("[data-kind]");
  async function coversNone(...wanted: Locator[]) {
    await page.atRest();
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
    await page.button("Copy link").click();
    await coversNone(page.getByRole("tablist"), top);
    await page.enter(group);
    await page.moreMenu("Copy invite link");
    await coversNone(page.getByRole("banner"), page.box);
  }
  await page.goto("/feedback");
  await page.getByLabel("Your feedback").fill("The stickers are lovely.");
  await page.button("Send feedback").click();
  await coversNone(page.getByRole("navigation", { name: "Main", exact: true }));
});
