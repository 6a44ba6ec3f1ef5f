/** Names and times have enough space in narrow windows, also in German, which has longer words. */
import { broken, placeOf } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const title = (page: AppPage) => page.getByRole("heading", { level: 1 });
const you = (page: AppPage) => page.getByRole("banner").getByText(/^You are /);

test("a long name and the user's own name fit into the header", async ({ page, newGroup, seats }) => {
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
  // The page has these words once, and no title attribute repeats them.
  await expect(page.getByText(/^You are /)).toHaveCount(1);
  await expect(page.getByTitle(/^You are /)).toHaveCount(0);
});

test("a name uses the space up to the members' button before it takes a second line", async ({
  page,
  newGroup,
  seats,
}) => {
  const group = await newGroup("midnight tacos & other plans");
  await page.enter(group);
  await seats(group, 3);
  await expect(page.button(/^4 of 4/)).toBeVisible();
  const { height, right } = await placeOf(title(page));
  expect(height, "one line").toBeLessThan(30);
  expect(right).toBeLessThanOrEqual((await placeOf(page.membersButton)).x);
});

test("in the longer language the header covers nothing, and no name is cut", async ({
  newGroup,
  seats,
  visitor,
}) => {
  const group = await newGroup("eine Gruppe mit langem Namen");
  await seats(group, 2);
  const page = await visitor({ locale: "de-DE", viewport: { width: 360, height: 568 } });
  await page.clock.install();
  await page.goto(group.url);
  const members = page.button(/^3 von 3/);
  await expect(members).toBeVisible();
  // At first the whole day is left, and that text has fewer letters.
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

  // No name is cut in the list of members either. The five longest are tried in every seat.
  await seats(group, 7);
  await expect(page.button(/^10 von 10/)).toBeVisible();
  await page.showMembers();
  const labels = page.whoIsHere.locator("li > :nth-child(2)");
  await expect(labels).toHaveCount(10);
  for (const width of [320, 360, 390, 430, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const name of ["Sonnenblume", "Schildkröte", "Marienkäfer", "Regenbogen", "Basketball"]) {
      await labels.evaluateAll((all, name) => {
        for (const label of all) label.textContent = name;
        all[0].textContent = `${name} (du)`;
      }, name);
      expect(await broken(labels), `at ${width} px`).toEqual([]);
      const rights = await page.whoIsHere
        .locator("li > *")
        .evaluateAll((all) => all.map((part) => part.getBoundingClientRect().right));
      expect(Math.max(...rights), "nothing sticks out").toBeLessThanOrEqual(width);
    }
  }
});
