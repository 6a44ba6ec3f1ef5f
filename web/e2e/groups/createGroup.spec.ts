/** A new group, and the list of one's own. */
import { box, canTalk } from "../support/group.ts";
import {
  answerQuestion,
  button,
  cards,
  clipboard,
  cookiesOf,
  dialog,
  heading,
  link,
  mayUseClipboard,
  radio,
  saved,
  sees,
} from "../support/page.ts";
import { createGroup } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("create a group, and hand on its link", async ({ page, context, server, account: _ }) => {
  await mayUseClipboard(page);
  await page.goto("/homepage");
  await link(page, "Create Group").click();
  await page.waitForURL("**/room/new");
  const name = page.getByLabel("Group name");
  const create = button(page, "Create Group");
  await name.fill("owl");
  await expect(create).toHaveCount(0);
  await page.keyboard.press("Enter");
  await sees(page, "Group name must be 4 characters or above");

  const suggested = new Set<string>();
  for (let press = 0; press < 5; press += 1) {
    await button(page, "Suggest a name").click();
    suggested.add(await name.inputValue());
  }
  expect(suggested.size).toBeGreaterThan(1);
  await sees(page, "The group is deactivated after 24 hours");
  await radio(page, "2 hours").check();
  await sees(page, "The group is deactivated after 2 hours");

  await context.setOffline(true);
  await create.click();
  await sees(page, "You’re offline. Check your connection and try again.");
  const kept = await name.inputValue();
  expect(suggested).toContain(kept);
  await expect(name).toBeFocused();
  await context.setOffline(false);
  await create.click();

  const open = link(page, "Open Group");
  const address = new URL((await open.getAttribute("href")) ?? "", server.base);
  const id = address.pathname.split("/")[2];
  await button(page, "Copy").click();
  await sees(page, "Group link copied to clipboard");
  expect(await clipboard(page)).toBe(address.href);
  const cookie = (await cookiesOf(page))[id];
  expect(cookie.value).toMatch(/^[\w-]{43}$/);
  // Opening the page alone would take a seat, so the end of the group is read where no seat is needed.
  const { data } = await (await fetch(`${server.base}/api/room/${id}`)).json();
  expect(data.name).toBe(kept);
  for (const end of [cookie.expires, data.expire_at]) {
    expect(end - Date.now() / 1000).toBeGreaterThan(7000);
    expect(end - Date.now() / 1000).toBeLessThanOrEqual(7200);
  }

  await button(page, "QR code").click();
  const code = await saved(page, () => button(page, "Download PNG").click());
  expect(code.name).toMatch(/^annon-[\p{L}\p{N}-]+\.png$/u);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await open.click();
  await page.waitForURL(address.href);
});

test("one may come back for a new group's link", async ({ page, account: _ }) => {
  await page.goto("/homepage?tab=groups");
  await link(page, "Create Group").click();
  await page.getByLabel("Group name").fill("Council of Owls");
  await button(page, "Create Group").click();
  await link(page, "Open Group").click();
  await expect(box(page)).toBeVisible();
  const address = page.url().replace(/^http:\/\//, "");
  await page.goBack();
  await sees(page, address);
  await page.reload();
  await sees(page, address);
  await button(page, "Create another group").click();
  await expect(page.getByLabel("Group name")).toBeVisible();
  await page.goBack();
  await expect(link(page, "Open Group")).toBeVisible();
  await page.goBack();
  await expect(heading(page, "My Groups")).toBeVisible();
});

test("one's own groups: opened in the tab's theme, shared and deleted", async ({
  page,
  context,
  account,
}) => {
  await page.goto("/homepage?tab=groups");
  await sees(page, "Sorry, no available rooms at the moment. Create one now");
  const { id, url } = await createGroup(account);
  await page.reload();
  const tacos = link(page, /midnight tacos/);
  await expect(tacos).toHaveAttribute("href", url);
  await expect(tacos).toHaveAttribute("target", "_blank");
  await sees(page, /^Created /);
  expect((await cookiesOf(page))[id].value).toMatch(/^[\w-]{43}$/);

  // A theme is chosen for a tab, and a group opens in another.
  await page.goto("/settings");
  await button(page, "Switch to dark mode").click();
  await page.goto("/homepage?tab=groups");
  const [room] = await Promise.all([context.waitForEvent("page"), tacos.click()]);
  await canTalk(room);
  expect(await room.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  await room.close();

  await mayUseClipboard(page);
  await button(cards(page), /^Share/).click();
  await sees(page, "Group link copied to clipboard");
  await button(cards(page), /^Delete/).focus();
  await page.keyboard.press("Enter");
  await answerQuestion(page, "Delete");
  await sees(page, "Sorry, no available rooms");
  // What opened the question is gone.
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
});

test("in a low window a group can be created without scrolling, and is then on the screen", async ({
  page,
  account: _,
}) => {
  // The last is a phone's with its keyboard.
  for (const [width, height] of [
    [390, 844],
    [390, 664],
    [360, 640],
    [390, 508],
  ]) {
    await page.setViewportSize({ width, height });
    // The same address again would be a reload, and that shows the group just made.
    await page.goto("about:blank");
    await page.goto("/room/new");
    const name = page.getByLabel("Group name");
    await name.pressSequentially("owls");
    const create = button(page, "Create Group");
    for (const wanted of [name, create]) await expect(wanted).toBeInViewport({ ratio: 1 });
    await create.click();
    await expect(link(page, "Open Group")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
  }
});

test("the link's code leads to the link", async ({ page, account, server }) => {
  await mayUseClipboard(page);
  await page.goto("/homepage");
  await button(page, "QR code").click();
  for (const kind of ["PNG", "SVG"]) {
    const code = await saved(page, () => button(page, `Download ${kind}`).click());
    expect(code.name).toBe(`annon-${account.username}.${kind.toLowerCase()}`);
  }
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await button(page, "Copy link").click();
  await sees(page, "Anonymous Chat Link Copied to Clipboard");
  expect(await clipboard(page)).toBe(`${server.base}/${account.username}`);
});
