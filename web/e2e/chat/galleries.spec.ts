/** Pictures that are sent together are drawn as one gallery. Each is still a message of its own. */
import { button, ICON, PICTURE, placeOf, sees } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const galleries = (page: AppPage) => page.log.getByRole("group", { name: /photo/ });
const pictures = (page: AppPage) => galleries(page).getByRole("button", { name: /^Photo by / });

test("three pictures are one gallery, also after a reload, and one of them is taken back", async ({
  me,
  other,
}) => {
  await me.hears(other, "show us");
  await me.answerTo("show us");
  await me.showPictures([ICON, PICTURE, ICON], "our cats");
  for (const person of [me, other]) {
    await expect(galleries(person)).toHaveAccessibleName("3 photos");
    await expect(pictures(person)).toHaveCount(3);
    await expect(person.line("our cats")).toHaveCount(1);
    await expect(button(person.line("our cats"), /Reply to .*show us/)).toBeVisible();
  }
  await expect(me.log.getByTitle("Sent", { exact: true })).toHaveCount(1);
  await expect(other.locator("[aria-live] p", { hasText: "our cats" }).first()).toBeAttached();

  // They fill the rows of a grid, and each is cut to its place.
  const [one, two, three] = await Promise.all([0, 1, 2].map((at) => placeOf(pictures(other).nth(at))));
  expect([two.y, three.y, two.width, three.width]).toEqual([one.y, one.y, one.width, one.width]);

  // The viewer walks through them.
  await pictures(other).nth(1).click();
  await sees(other.dialog, "2 of 3");
  await other.keys("ArrowRight");
  await sees(other.dialog, "3 of 3");
  await other.escape();

  // Each has its own menu: by the right button, and by keys.
  await other.box.focus();
  await other.keys("ArrowUp", "ArrowUp", "Enter");
  await other.item("Reply").click();
  await expect(other.replyBar).toBeVisible();
  await other.say("that one is mine");
  await expect(me.line("that one is mine")).toBeVisible();

  await pictures(me).nth(2).click({ button: "right" });
  await me.item("Unsend").click();
  for (const person of [me, other]) {
    await expect(galleries(person)).toHaveAccessibleName("2 photos");
    await sees(person.log, "Message removed");
    await person.reload();
    await expect(galleries(person)).toHaveAccessibleName("2 photos");
    await expect(pictures(person)).toHaveCount(2);
  }
  // A jump to a picture leads to its place in the gallery.
  await button(me.line("that one is mine"), /Reply to /).click();
  await expect(me.locator("[data-row]:focus").getByRole("button", { name: /^Photo by / })).toHaveCount(1);
});

test("while they are sent each shows how far it is, and what fails stands alone", async ({ me }) => {
  let asked = 0;
  await me.route("**/upload-image?*", (route) => {
    asked += 1;
    // The second picture's two forms are refused.
    return asked === 3 || asked === 4 ? route.fulfill({ status: 507, json: {} }) : route.continue();
  });
  await me.showPictures([ICON, ICON, ICON]);
  await expect(me.button("Retry")).toHaveCount(1);
  await expect(me.log.getByTitle("Sent", { exact: true })).toHaveCount(1);
  await expect(me.picture()).toHaveCount(3);
  await me.unroute("**/upload-image?*");
  await me.button("Retry").click();
  await expect(galleries(me)).toHaveAccessibleName("3 photos");
  await expect(me.log.getByTitle("Sent", { exact: true })).toHaveCount(1);
});
