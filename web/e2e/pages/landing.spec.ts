/** The landing page: how long it is, and what can be tried there. */
import { placeOf } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

const LANGUAGES = { en: "en-GB", de: "de-DE" };

for (const [language, locale] of Object.entries(LANGUAGES)) {
  test(`it has at most four screens on a phone, and its rules are in line: ${language}`, async ({
    visitor,
  }) => {
    const page = await visitor({ locale });
    await page.goto("/");
    await page.takenOver();
    // Links of the footer are as far from each other whether their words are short or long.
    const gaps = await page
      .getByRole("contentinfo")
      .getByRole("listitem")
      .filter({ visible: true })
      .evaluateAll((links) => {
        const places = links.map((link) => {
          const words = document.createRange();
          words.selectNodeContents(link.querySelector("a") ?? link);
          return words.getBoundingClientRect();
        });
        return places.flatMap((place, at) => {
          const next = places[at + 1];
          return next && next.top === place.top ? [Math.round(next.left - place.right)] : [];
        });
      });
    expect(gaps.length).toBeGreaterThan(3);
    expect(Math.max(...gaps) - Math.min(...gaps), gaps.join()).toBeLessThanOrEqual(2);
    const screens = () => page.evaluate(() => document.documentElement.scrollHeight / window.innerHeight);
    expect(await screens()).toBeLessThanOrEqual(4);
    expect(await page.sticksOut()).toBe(0);

    await page.setViewportSize({ width: 1280, height: 800 });
    const heads = page.locator("#how li h3");
    const tops = await Promise.all((await heads.all()).map(async (head) => (await placeOf(head)).y));
    expect([tops[1], tops[3]]).toEqual([tops[0], tops[2]]);
    // The footer is one row.
    const footer = page.getByRole("contentinfo");
    const first = await placeOf(footer.getByRole("link").first());
    const last = await placeOf(footer.getByRole("button"));
    expect(Math.abs(first.y + first.height / 2 - (last.y + last.height / 2))).toBeLessThan(4);
  });
}

test("a note that is typed becomes the picture that could be shared, and nothing is sent", async ({
  page,
}) => {
  await page.goto("/");
  await page.takenOver();
  const drawing: string[] = [];
  page.on("request", (request) => drawing.push(new URL(request.url()).pathname));
  const box = page.getByLabel("Your note, as an example");
  await expect(page.getByRole("img", { name: "A note as an image to post: That talk on" })).toBeVisible();
  expect(drawing).toEqual([]);
  await box.fill("You are the best teacher I ever had.");
  const picture = page.getByRole("img", { name: "You are the best teacher I ever had." });
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBe(1080);
  expect(drawing.filter((path) => path.startsWith("/api"))).toEqual([]);
  await box.fill("");
  await expect(page.getByRole("img", { name: /image to post: That talk on/ })).toHaveCount(1);
});

test("on a phone no emoji covers a name tag, and each step's picture is under its title", async ({
  page,
}) => {
  await page.goto("/");
  await page.takenOver();
  await page.atRest();
  const pile = page.getByRole("img", { name: /^A pile of stickers/ });
  const [fox, cactus, ...others] = await Promise.all(
    (await pile.locator("> [aria-hidden]").all()).map(placeOf),
  );
  const tags = await Promise.all((await pile.locator("> [data-tone]:not([aria-hidden])").all()).map(placeOf));
  expect([tags.length, others]).toEqual([2, []]);
  for (const disc of [fox, cactus]) {
    for (const tag of tags) {
      const isBeside = disc && (disc.x + disc.width <= tag.x || tag.x + tag.width <= disc.x);
      expect(isBeside, JSON.stringify([disc, tag])).toBe(true);
    }
  }
  for (const step of await page.locator("#how li:has(h3)").all()) {
    const [head, picture, words] = await Promise.all(
      [0, 1, 2].map((at) => placeOf(step.locator("> *").nth(at))),
    );
    expect(picture?.height).toBeGreaterThan(20);
    expect(head?.y).toBeLessThan(picture?.y ?? 0);
    expect(picture?.y).toBeLessThan(words?.y ?? 0);
  }
});

test("it shows an answer that comes back, a public answer and a knock", async ({ page }) => {
  await page.goto("/");
  const answers = page.getByRole("img", {
    name: /^A note, your answer and what comes back; and a public answer/,
  });
  await expect(answers).toContainText("Thank you! Which part?");
  await expect(answers).toContainText("The seat stays yours.");
  await expect(page.getByRole("img", { name: /^A sample group chat.*is knocking$/ })).toContainText("Let in");
});
