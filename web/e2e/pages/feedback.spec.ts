import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
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
  // If the field kept the file, the browser would report no change when the user chooses the same file again.
  expect(await page.locator(FILE).evaluate((field: HTMLInputElement) => field.files?.length)).toBe(0);

  // The bytes after the picture's end make the file as large as a phone's photo. If the page can't draw the picture
  // anew, it sends the file as it is.
  const large = Buffer.concat([readFileSync(ICON), randomBytes(5_300_000)]);
  for (const buffer of [large, readFileSync(ICON)]) {
    // The notice about the feedback before has to be gone first. It stays while the mouse rests on it.
    await page.mouse.move(0, 0);
    await expect(page.getByText("Feedback sent")).toHaveCount(0);
    await words.fill("The stickers are lovely.");
    await page.setInputFiles(FILE, { name: "photo.png", mimeType: "image/png", buffer });
    await expect(chosen).toBeVisible();
    await page.button("Send feedback").click();
    await page.sees("Feedback sent");
    await page.evaluate(() => {
      window.createImageBitmap = () => Promise.reject(new Error("no picture"));
    });
  }

  const bad = { name: "none.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
  await page.setInputFiles(FILE, bad);
  await page.sees("We couldn’t read that file as a photo.");
  await expect(chosen).toHaveCount(0);
  // When the picture is removed, the error about another file is removed as well.
  await page.setInputFiles(FILE, ICON);
  await page.setInputFiles(FILE, { ...bad, mimeType: "image/gif" });
  const wrong = page.getByText("Choose a JPEG, PNG or WebP photo.");
  await expect(wrong).toHaveAttribute("role", "alert");
  await page.button("Remove photo").click();
  await expect(wrong.or(chosen)).toHaveCount(0);
});

test("a notice covers nothing that the user needs", async ({ page, account: _, group }) => {
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
