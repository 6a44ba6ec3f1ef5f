import { type AppPage, expect, test } from "../support/test.ts";

const chip = (page: AppPage, words: string) => page.line(words).locator("[data-mention]");
const emojiOf = async (page: AppPage) => (await page.myEmoji.textContent()) ?? "";

test("chosen by keys, undone, sent, shown by name in the reader's language", async ({ group, join }) => {
  const [one, two] = [await join(group), await join(group)];
  const [mine, others] = [await emojiOf(one), await emojiOf(two)];
  const offers = one.getByRole("listbox", { name: "Mention someone", exact: true }).getByRole("option");
  await one.box.pressSequentially("hey @");
  await expect(offers).toHaveCount(1);
  await one.box.press("Escape");
  await expect(offers).toHaveCount(0);
  await expect(one.box).toHaveValue("hey @");
  await one.box.fill("");
  await one.box.pressSequentially("hey @");
  await one.box.press("Enter");
  await expect(one.box).toHaveValue(`hey @${others} `);
  await one.box.press("Control+z");
  await expect(one.box).toHaveValue("hey @");
  await one.box.press("Control+Shift+z");
  await one.box.pressSequentially("come");
  await one.box.press("Enter");
  await expect(chip(two, "hey")).toHaveAttribute("data-mention", others);
  await expect(chip(two, "hey")).toHaveText(new RegExp(`^@${others}\\p{Lu}`, "u"));
  await expect(two.line("hey").locator("[data-mentioned]")).toHaveCount(1);
  await expect(one.line("hey").locator("[data-mentioned]")).toHaveCount(0);

  // What is copied is the emoji again, which every reader has a name for.
  const copied = await two.line("hey").evaluate((row) => {
    const selection = getSelection();
    selection?.selectAllChildren(row.querySelector("[data-emoji]") ?? row);
    return String(selection);
  });
  expect(copied).toBe(`hey @${others} come`);
  await two.reload();
  await expect(chip(two, "hey")).toBeVisible();

  await two.say(`@🦓 is nobody, <b>@${mine}</b>`);
  await expect(chip(one, "is nobody")).toHaveCount(1);
  await expect(one.line("is nobody").locator("b")).toHaveCount(0);
});

test("who is away hears what comes, unless muted, and is told when meant", async ({ group, join, seats }) => {
  const two = await join(group);
  const [one] = await seats(group, 1);
  await two.addInitScript(() => {
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...at) {
      document.body.dataset.tones = String(Number(document.body.dataset.tones ?? 0) + 1);
      start.apply(this, at);
    };
  });
  const tones = async () => Number((await two.locator("body").getAttribute("data-tones")) ?? 0);
  await two.reload();
  await two.canTalk();
  one.sayLines(30);
  await expect(two.line("line 29")).toBeVisible();
  expect(await tones(), "whoever looks needs no sound").toBe(0);
  await two.box.click();
  // For a moment after the last line the list makes sure of its end.
  await expect(async () => {
    await two.log.evaluate((list) => list.scrollTo(0, 0));
    await expect(two.button("Jump to latest")).toBeVisible({ timeout: 1000 });
  }).toPass();
  one.say("one");
  one.say("two");
  await expect(two.button("2 new. Jump to latest")).toBeVisible();
  expect(await tones(), "one sound a second").toBe(1);
  await two.moreMenu("Mute sounds");
  // The next sound might come a second later.
  await two.waitForTimeout(1100);
  one.say(`for @${await emojiOf(two)}`);
  const end = two.button("3 new, and you were mentioned. Jump to latest");
  await expect(end).toHaveText(/^\s*@3\s*$/);
  await expect(two).toHaveTitle(/^\(@3\) /);
  expect(await tones(), "muted").toBe(1);
  await end.click();
  await expect(two).toHaveTitle(/^[^(]/);
});
