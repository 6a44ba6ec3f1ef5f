/** The layout of the rows: emoji, times, days, quotes, and the rows about who joined and left. */
import { placeOf, until } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

test("however long somebody goes on, their emoji is in view", async ({ me, member }) => {
  member.sayLines(31);
  await expect(me.line("line 30")).toBeVisible();
  const emojis = () =>
    me.log.evaluate((list) => {
      const seen = list.getBoundingClientRect();
      return [...list.querySelectorAll("[data-tone]")].filter((emoji) => {
        const { top, bottom } = emoji.getBoundingClientRect();
        return top >= seen.top && bottom <= seen.bottom;
      }).length;
    });
  await expect.poll(emojis).toBe(1);
  // The same is true while the reader scrolls up through the messages of this person.
  for (let step = 0; step < 3; step += 1) {
    await me.log.evaluate((list) => list.scrollBy(0, -200));
    await expect.poll(emojis).toBe(1);
  }
  // The emoji stays beside the last message of its person, and not beside those of another.
  await me.say("mine\nand\nmine\nand\nmine");
  await expect(me.line("mine")).toBeVisible();
  await until("it stays beside its run", async () => {
    const emoji = await placeOf(me.log.locator("[data-tone]").last());
    return emoji.bottom <= (await placeOf(me.line("mine"))).y;
  });
});

test("members who joined and left are one row, and a tap shows each", async ({ me, group, seats }) => {
  const [first] = await seats(group, 4);
  const joinRows = me.log.getByRole("button", { name: /joined/ });
  const ends = me.log.getByText(/ ?joined$/);
  await expect(me.log.getByRole("button", { name: /, .+ and 3 others joined$/ })).toBeVisible();
  await expect(ends).toHaveCount(1);
  await me.sends("there you are");
  await me.waitForTimeout(1500);
  // A second row says who joined later. When that row gets more names, nothing moves.
  await seats(group, 1);
  await expect(ends).toHaveCount(2);
  const before = await placeOf(me.line("there you are"));
  await seats(group, 1);
  await first.leave();
  const later = me.log.getByRole("button", { name: / and .+ joined, .+ left$/ });
  await expect(later).toBeVisible();
  expect(await placeOf(me.line("there you are"))).toEqual(before);

  const events = me.log.locator("p[dir=auto]");
  const lines = await events.count();
  await expect(me.log.getByRole("separator", { name: "Today", exact: true })).toHaveCount(1);
  await joinRows.first().click();
  await expect(joinRows.first()).toHaveAttribute("aria-expanded", "true");
  await expect(events).toHaveCount(lines + 5);
});

test("the time is in the last line if there is space, and a bubble is as wide as its words", async ({
  me,
}) => {
  await me.say("short", "A message that is so long that it takes two lines, short");
  await expect(me.line("takes two")).toBeVisible();
  const bubbles = await me.messages.evaluateAll((all) =>
    all.map((words) => {
      const lines = new Set([...words.getClientRects()].map(({ top }) => top)).size;
      const corners = getComputedStyle(words.parentElement?.parentElement ?? words).borderRadius;
      return { height: words.parentElement?.clientHeight, lines, corners };
    }),
  );
  // There is a gap between two bubbles of one person, and the corners that meet on that person's side are small.
  expect(bubbles).toEqual([
    { height: 25, lines: 1, corners: "20px 20px 6px" },
    { height: 50, lines: 2, corners: "20px 6px 20px 20px" },
  ]);
  const [above, below] = [await placeOf(me.line("short").first()), await placeOf(me.line("short").last())];
  expect(below.y - above.bottom).toBeGreaterThanOrEqual(2);

  // A bubble is as wide as its words and its time need, and a quote as wide as its own words need.
  const long = "Rindfleischetikettierungsgesetzesdebatte und mehr";
  // At some of these lengths there is no space for the time in the only line, or in the last of two lines.
  const all = [20, 22, 24, 26, 27, 28, 30].flatMap((count) => [
    long.slice(0, count),
    `ok ${long.slice(0, count)}`,
    `${long.slice(0, count)} ok`,
  ]);
  await me.say(...all);
  await me.answerTo("ok Rindfleischetikettier");
  await me.sends("Yes");
  for (const width of [390, 320, 900]) {
    await me.setViewportSize({ width, height: 844 });
    const loose = () =>
      me.log.evaluate((log) =>
        [...log.querySelectorAll("article")].flatMap((row) => {
          const words = row.querySelector("[data-emoji]") as HTMLElement;
          const clock = words.parentElement?.lastElementChild as HTMLElement;
          const bubble = words.parentElement?.parentElement as HTMLElement;
          const { paddingLeft, paddingRight } = getComputedStyle(bubble);
          const room = bubble.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
          const range = document.createRange();
          range.selectNodeContents(words);
          const lines = [...range.getClientRects()];
          const beside = clock.getBoundingClientRect();
          const lengths = lines.map(
            (line) => line.width + (line.bottom > beside.top && line.top < beside.bottom ? beside.width : 0),
          );
          const quote = bubble.querySelector("button")?.offsetWidth ?? 0;
          const spare = room - Math.max(beside.width, quote, ...lengths);
          return Math.abs(spare) < 2 ? [] : [`${words.textContent}: ${spare}`];
        }),
      );
    await expect.poll(loose, `${width} pixels`).toEqual([]);
    const quoted = await placeOf(me.line("Yes").getByRole("button").locator("[dir=auto]"));
    expect(quoted.width).toBeGreaterThan(40);
    expect(quoted.width, "a third of the window").toBeLessThanOrEqual(width / 3);
    expect(quoted.height, "one row").toBeLessThan(24);
  }
});
