import { type AppPage, expect, test } from "../support/test.ts";

const chip = (page: AppPage, words: string) => page.line(words).locator("[data-mention]");
const emojiOf = async (page: AppPage) => (await page.myEmoji.textContent()) ?? "";

test("chosen by keys, undone, sent, shown by name", async ({ group, join, seats }) => {
  const [one, two] = [await join(group), await join(group)];
  await seats(group, 1);
  const [mine, others] = [await emojiOf(one), await emojiOf(two)];
  const offers = one.getByRole("listbox", { name: "Mention someone", exact: true }).getByRole("option");
  await one.box.pressSequentially("hey @");
  await expect(offers).toHaveCount(2);
  await one.box.press("Escape");
  await expect(offers).toHaveCount(0);
  await expect(one.box).toHaveValue("hey @");
  await one.box.fill("");
  await one.box.pressSequentially("hey @");
  // ArrowUp goes from the first option to the last, and ArrowDown from there to the first.
  await one.box.press("ArrowUp");
  await expect(offers.last()).toHaveAttribute("aria-selected", "true");
  await one.box.press("ArrowDown");
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

  // The copied text has the emoji instead of its name. Each reader's page shows the name in the reader's language.
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

test("while the user is away there is one sound per second, unless muted", async ({ me, member }) => {
  await me.evaluate(() => {
    document.hasFocus = () => false;
    document.body.dataset.tones = "0";
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...at) {
      document.body.dataset.tones = String(Number(document.body.dataset.tones) + 1);
      start.apply(this, at);
    };
  });
  const played = (tones: number) => expect(me.locator("body")).toHaveAttribute("data-tones", String(tones));
  await me.box.click();
  member.sayLines(2);
  await expect(me.line("line 1")).toBeVisible();
  await played(1);
  await me.moreMenu("Mute sounds");
  // There is at most one sound per second, so the test waits until the next one could be played.
  await me.waitForTimeout(1100);
  await me.hears(member, "muted");
  await played(1);
});
