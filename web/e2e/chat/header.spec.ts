/** Names and times have room, in narrow windows, in the longer language and with large letters. */
import { broken, placeOf } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const title = (page: AppPage) => page.getByRole("heading", { level: 1 });
const you = (page: AppPage) => page.getByRole("banner").getByText(/^You are /);

test("a long name and who one is are shown as far as they are to be", async ({ page, newGroup, seats }) => {
  const group = await newGroup("Wunderbare Nachtmenschen hier");
  await page.enter(group);
  await seats(group, 1);
  await expect(title(page)).toHaveText("Wunderbare Nachtmens");
  for (const width of [320, 360, 390, 430, 1000, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await broken(you(page)), `at ${width} px`).toEqual([]);
    expect((await placeOf(you(page))).right).toBeLessThanOrEqual((await placeOf(page.membersButton)).x);
    const [across, down] = await title(page).evaluate((name) => [
      name.scrollWidth - name.clientWidth,
      name.scrollHeight - name.clientHeight,
    ]);
    expect(across, `at ${width} px`).toBeLessThanOrEqual(0);
    expect(down, `at ${width} px`).toBeLessThanOrEqual(1);
  }
  // It stands in words, and nowhere else.
  await expect(page.getByText(/^You are /)).toHaveCount(1);
  await expect(page.getByTitle(/^You are /)).toHaveCount(0);
});

test("in the longer language the header covers nothing", async ({ newGroup, seats, visitor }) => {
  const group = await newGroup("eine Gruppe mit langem Namen");
  await seats(group, 2);
  const page = await visitor({ locale: "de-DE", viewport: { width: 360, height: 568 } });
  await page.clock.install();
  await page.goto(group.url);
  const members = page.button(/^3 von 3/);
  await expect(members).toBeVisible();
  // All of the day is left at first, in fewer letters.
  await page.clock.fastForward("01:00");
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 568 });
    const left = page.getByText(/^noch 23 h 5\d min$/);
    await expect(async () => {
      const { x } = await placeOf(members);
      for (const beside of [title(page), left]) expect((await placeOf(beside)).right).toBeLessThanOrEqual(x);
      const hidden = await left.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(hidden, `pixels of the time at ${width} px`).toBeLessThanOrEqual(0);
    }).toPass();
  }
});

test("in the list of members no name is cut, in the longer language", async ({ group, seats, visitor }) => {
  await seats(group, 9);
  const page = await visitor({ locale: "de-DE" });
  await page.goto(group.url);
  await page.showMembers();
  const names = ["Sonnenblume", "Schildkröte", "Marienkäfer", "Regenbogen", "Basketball"];
  for (const width of [320, 360, 390, 430, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const faults = await page.whoIsHere.evaluate((panel, names) => {
      const found = [];
      const label = panel.querySelectorAll("li span")[1];
      for (const name of names) {
        label.textContent = `${name} (du)`;
        const word = document.createRange();
        word.setStart(label.firstChild ?? label, 0);
        word.setEnd(label.firstChild ?? label, name.length);
        if (word.getClientRects().length > 1) found.push(`${name} is broken`);
      }
      // Also the last of a row, with the longest name.
      for (const { children } of panel.querySelectorAll("li")) {
        if (children[1]) children[1].textContent = names[0];
        for (const part of children)
          if (part.getBoundingClientRect().right > innerWidth) found.push("something sticks out");
      }
      return found;
    }, names);
    expect(faults, `at ${width} px`).toEqual([]);
  }
});

test("an emoji's border is whole in the reader's own colours", async ({ page, group }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.enter(group);
  const emoji = page.locator("footer form [data-tone]");
  const { width } = await placeOf(emoji);
  // Half way round the corner, where the brackets were open.
  const at = Math.round((width / 2) * (1 - Math.SQRT1_2) + Math.SQRT1_2 - 0.5);
  const {
    at: [corner],
  } = await page.painted(await emoji.screenshot(), [at, at]);
  expect(Math.max(...corner)).toBeLessThan(128);
});
