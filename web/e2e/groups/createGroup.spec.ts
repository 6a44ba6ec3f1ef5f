/** A new group, and the list of the user's own groups. */
import { button, placeOf } from "../support/page.ts";
import { createGroup } from "../support/people.ts";
import { expect, test, withSteps } from "../support/test.ts";

test("create a group, and hand on its link", async ({ page, server, account: _ }) => {
  await page.goto("/homepage?tab=groups");
  await page.link("Create Group").click();
  await page.waitForURL("**/room/new");
  const name = page.getByLabel("Group name");
  await name.fill("owl");
  await expect(page.button("Create Group")).toHaveCount(0);
  await page.keyboard.press("Enter");
  await page.sees("Group name must be 4 characters or above");
  await page.button("Suggest a name").click();
  await expect(name).not.toHaveValue("owl");
  const suggested = await name.inputValue();
  await name.fill("x".repeat(40));
  await expect(name).toHaveValue("x".repeat(30));
  // A refusal is shown at the field until the field is changed.
  const refused = "You have as many groups as one account can have. Delete one first.";
  await page.answers("**/api/room/create", 409, { code: "no_more_groups" });
  await page.button("Create Group").click();
  await expect(name).toHaveAccessibleDescription(refused);
  await page.unroute("**/api/room/create");
  await name.fill(suggested);
  await expect(page.getByText(refused)).toHaveCount(0);
  await page.sees("The group is deactivated after 24 hours");
  await page.radio("2 hours").check();
  await page.sees("The group is deactivated after 2 hours");
  await page.button("Create Group").click();

  await expect(page.getByText(/ is open for 2 hours/)).toBeFocused();
  const open = page.link("Open Group");
  const address = new URL((await open.getAttribute("href")) ?? "", server.base);
  const id = address.pathname.split("/")[2];
  await page.button("Copy").click();
  await page.sees("Group link copied to clipboard");
  expect(await page.clipboard()).toBe(address.href);
  expect((await page.cookiesOf())[id].value).toMatch(/^[\w-]{43}$/);
  // To open the group's page would take a seat, so the test reads the end of the group from the API.
  const { data } = await (await fetch(`${server.base}/api/room/${id}`)).json();
  expect(data.name).toBe(suggested);
  const seconds = data.expire_at - Date.now() / 1000;
  expect(Math.round(seconds / 600), "tens of minutes").toBe(12);

  await page.button("QR code").click();
  const code = await page.saved(() => page.button("Download PNG").click());
  expect(code.name).toMatch(/^annon-[\p{L}\p{N}-]+\.png$/u);
  await page.escape();
  await open.click();
  await page.waitForURL(address.href);

  // The user can come back to the link of the new group.
  await page.goBack();
  await page.sees(address.host + address.pathname);
  await page.reload();
  await page.sees(address.host + address.pathname);
  await page.button("Create another group").click();
  await expect(name).toBeFocused();
  await page.goBack();
  await expect(open).toBeVisible();
  await page.goBack();
  await expect(page.heading("My Groups")).toBeVisible();
});

test("one's own groups: opened in the tab's theme, shared, deleted", async ({ page, context, account }) => {
  await page.goto("/homepage?tab=groups");
  await page.sees("Sorry, no available rooms at the moment. Create one now");
  const group = await createGroup(account);
  const { id, url } = group;
  await page.reload();
  const heading = await placeOf(page.cards.getByRole("heading"));
  for (const does of ["Share", "QR code for", "Delete"]) {
    const control = await placeOf(page.button(`${does} midnight tacos`));
    expect(Math.abs(control.y + control.bottom - heading.y - heading.bottom), does).toBeLessThan(8);
    expect(control.x, does).toBeGreaterThanOrEqual(heading.right);
  }
  const tacos = page.link(/midnight tacos/);
  await expect(tacos).toHaveAttribute("href", url);
  await expect(tacos).toHaveAttribute("target", "_blank");
  // The date and the time stay on one line.
  expect(await page.getByText(/^Created /).textContent()).toMatch(/^Created [^ ]+$/);
  expect((await page.cookiesOf())[id].value).toMatch(/^[\w-]{43}$/);

  // A theme is chosen for one tab only, but a group that opens in another tab has the same theme.
  await page.goto("/settings");
  await page.button("Switch to dark mode").click();
  await page.goto("/homepage?tab=groups");
  const [opened] = await Promise.all([context.waitForEvent("page"), tacos.click()]);
  const room = withSteps(opened);
  await room.canTalk();
  expect(await room.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  await room.close();

  await button(page.cards, /^Share/).click();
  await page.sees("Group link copied to clipboard");
  await button(page.cards, /^Delete/).focus();
  await page.keyboard.press("Enter");
  // The device forgets a group when the group is deleted, and not before.
  expect(await page.keysOf(group)).not.toEqual([]);
  await page.answerQuestion("Delete");
  await page.sees("Sorry, no available rooms");
  await expect.poll(() => page.keysOf(group)).toEqual([]);
  // The button that opened the question is gone, so the page's main part has the focus.
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
});

test("in a low window a group can be created without scrolling", async ({ page, account: _ }) => {
  // The last size is that of a phone with its keyboard open.
  for (const [width, height] of [
    [390, 844],
    [390, 664],
    [360, 640],
    [390, 508],
  ]) {
    await page.setViewportSize({ width, height });
    // To go to the same address again would be a reload, which shows the group that was just created.
    await page.goto("about:blank");
    await page.goto("/room/new");
    const name = page.getByLabel("Group name");
    await name.pressSequentially("owls");
    const create = page.button("Create Group");
    for (const wanted of [name, create]) await expect(wanted).toBeInViewport({ ratio: 1 });
    await create.click();
    await expect(page.link("Open Group")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
  }
});
