/** What is taken back is nowhere any more. */
import type { Page } from "@playwright/test";
import { box, enter, line, log, messageMenu, picture, say, showPictures } from "../support/group.ts";
import { dialog, ICON, item, until } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

test("a message is taken back, and so are its quotes", async ({ page, group, join }) => {
  await enter(page, group);
  const other = await join(group);
  await say(page, "I didn't mean that");
  await messageMenu(other, "I didn't mean that");
  await expect(item(other, "Unsend")).toHaveCount(0);
  await item(other, "Reply").click();
  await say(other, "What?");
  await expect(line(page, "What?")).toBeVisible();
  await messageMenu(page, "I didn't mean that", "Unsend");
  for (const person of [page, other]) {
    await expect(log(person)).not.toContainText("mean that");
    await expect(log(person).getByText("Message removed")).toHaveCount(2);
  }
  await other.reload();
  await expect(line(other, "What?")).toBeVisible();
  await expect(log(other)).not.toContainText("mean that");
});

test("what is taken back is nowhere any more, whatever is open", async ({ page, group, join }) => {
  await enter(page, group);
  const other = await join(group);
  const takeBack = (words: string) => messageMenu(page, words, "Unsend");
  const isGone = (from: Page) => from.evaluate(() => !document.body.textContent?.includes("mean that"));
  await say(page, "I didn't mean that");
  await messageMenu(other, "I didn't mean that", "Reply");
  await box(other).fill("What?");
  await expect(other.locator("[aria-live] p", { hasText: "mean that" }).first()).toBeAttached();
  await takeBack("I didn't mean that");
  await until("nothing of it is left", () => isGone(other));
  const kept = await other.evaluate((room) => localStorage.getItem(`annon.draft.${room}`), group.id);
  expect(JSON.parse(kept ?? "")).toEqual({ words: "What?", replyTo: expect.any(Number) });
  await other.reload();
  await expect(box(other)).toBeVisible();
  expect(await isGone(other)).toBe(true);

  await say(page, "nor did I mean that");
  await messageMenu(other, "nor did I mean that");
  await takeBack("nor did I mean that");
  await expect(other.getByRole("menu")).toHaveCount(0);

  await showPictures(page, [ICON], "a picture of that");
  await picture(other, "a picture of that").click();
  await expect(dialog(other).getByText("a picture of that").first()).toBeVisible();
  await takeBack("a picture of that");
  await expect(dialog(other)).toHaveCount(0);
  expect(await other.evaluate(() => document.activeElement?.id)).toBe("main");
});
