/** A message that was taken back is not shown anywhere. */
import { ICON, until } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

test("a message that was taken back is not shown, whatever is open", async ({ me, other, group }) => {
  const takeBack = (words: string) => me.messageMenu(words, "Unsend");
  const isGone = (from: AppPage) => from.evaluate(() => !document.body.textContent?.includes("mean that"));
  await me.say("I didn't mean that");
  await other.answerTo("I didn't mean that");
  await other.say("Really?");
  await expect(me.line("Really?")).toContainText("mean that");
  await other.messageMenu("I didn't mean that");
  await expect(other.item("Unsend")).toHaveCount(0);
  await other.item("Reply").click();
  await other.box.fill("What?");
  await expect(other.locator("[aria-live] p", { hasText: "mean that" }).first()).toBeAttached();
  await takeBack("I didn't mean that");
  for (const person of [me, other]) {
    await until("nothing of it is left", () => isGone(person));
    await expect(person.log.getByText("Message removed")).toHaveCount(2);
  }
  const kept = await other.evaluate((room) => localStorage.getItem(`annon.draft.${room}`), group.id);
  expect(JSON.parse(kept ?? "")).toEqual({ words: "What?", replyTo: expect.any(Number) });
  await other.reload();
  await expect(other.line("Really?")).toBeVisible();
  expect(await isGone(other)).toBe(true);

  await me.say("nor did I mean that");
  await other.messageMenu("nor did I mean that");
  await takeBack("nor did I mean that");
  await expect(other.getByRole("menu")).toHaveCount(0);

  await me.showPictures([ICON], "a picture of that");
  await other.picture("a picture of that").click();
  await expect(other.dialog.getByText("a picture of that").first()).toBeVisible();
  await takeBack("a picture of that");
  await expect(other.dialog).toHaveCount(0);
  expect(await other.evaluate(() => document.activeElement?.id)).toBe("main");
});
