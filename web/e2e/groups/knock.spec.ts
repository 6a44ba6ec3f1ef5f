/** A group that asks first: visitors knock, and its creator lets them in or not, wherever they are signed in. */
import { button, sees } from "../support/page.ts";
import { askFirst, createGroup, knockAt, signedIn } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const atTheDoor = (page: AppPage) => page.getByRole("list", { name: "At the door" });

/** Opens the group's link and knocks. Gives the emoji that the visitor is shown. */
async function knocks(visitor: AppPage, url: string): Promise<string> {
  await visitor.goto(url);
  await visitor.button("Knock").click();
  const words = visitor.getByText(/^You’re \S+$/);
  await expect(words).toBeVisible();
  return ((await words.textContent()) ?? "").replace("You’re ", "");
}

test("a group that is made to ask first lets in who is admitted, and nobody else", async ({
  page,
  account,
  visitor,
}) => {
  await page.goto("/room/new");
  await page.getByLabel("Group name").fill("midnight tacos");
  await page.getByLabel("Ask me first").check();
  await page.button("Create Group").click();
  await page.link("Open Group").click();
  await page.canTalk();
  const url = page.url();

  const friend = await visitor();
  await friend.goto(url);
  await sees(friend, "midnight tacos");
  await sees(friend, `${account.username} lets people into this group one by one.`);
  const emoji = await knocks(friend, url);
  await sees(atTheDoor(page), `${emoji} is knocking`);
  // A reload goes on waiting for the same answer.
  await friend.reload();
  await sees(friend, `You’re ${emoji}`);
  await expect(atTheDoor(page).getByRole("listitem")).toHaveCount(1);

  const stranger = await visitor();
  const other = await knocks(stranger, url);
  await button(atTheDoor(page), `Decline ${other}`).click();
  await sees(stranger, "You weren’t let in.");
  await button(atTheDoor(page), `Let ${emoji} in`).click();
  await friend.canTalk();
  await expect(friend.myEmoji).toHaveText(emoji);
  await friend.sends("thank you");
  await expect(page.line("thank you")).toBeVisible();
  await expect(atTheDoor(page)).toHaveCount(0);
  // Members hear nothing of who was declined, and come back without knocking.
  await expect(friend.log.getByText(other)).toHaveCount(0);
  await friend.reload();
  await friend.canTalk();
  await page.reload();
  await page.canTalk();
  await stranger.button("Knock again").click();
  await sees(atTheDoor(page), "is knocking");
});

test("the door of a sealed group has its name for who has the key, and says so to who hasn’t", async ({
  page,
  account: _,
  visitor,
}) => {
  const url = await page.makeSealed("marked midnight", "Ask me first");
  const [friend, keyless] = [await visitor(), await visitor()];
  await friend.goto(url);
  await friend.sees("marked midnight");
  await keyless.goto(url.split("#")[0] ?? "");
  await keyless.sees("This link is missing its key");
  await expect(keyless.button("Knock")).toHaveCount(0);
  await expect(keyless.getByText("marked midnight")).toHaveCount(0);
  await keyless.getByLabel("The whole link").fill(url);
  await keyless.button("Open the group").click();
  await keyless.sees("marked midnight");
  const emoji = await knocks(friend, url);
  await button(atTheDoor(page), `Let ${emoji} in`).click();
  await friend.canTalk();
  await expect(friend.heading("marked midnight")).toBeVisible();
});

test("the page of a new group shows who knocks, and lets many in at once", async ({
  page,
  account,
  visitor,
}) => {
  expect(account.username).not.toBe("");
  await page.goto("/room/new");
  await page.getByLabel("Group name").fill("night owls");
  await page.getByLabel("Ask me first").check();
  await page.sees(/share its link\. Newcomers knock/);
  await page.button("Create Group").click();
  await page.sees(/^Newcomers knock.*is open for 24 hours/);
  const url = (await page.link("Open Group").getAttribute("href")) ?? "";
  const friend = await visitor();
  const emoji = await knocks(friend, account.base + url);
  await sees(atTheDoor(page), `${emoji} is knocking`);
  await expect(page.button("Let all in")).toHaveCount(0);
  const id = url.split("/").at(-1) ?? "";
  for (let more = 0; more < 4; more += 1)
    await knockAt({ base: account.base, id, host: account, name: "", path: url, url });
  await sees(page, "5 at the door");
  await page.button("Let all in").click();
  await friend.canTalk();
  await expect(atTheDoor(page)).toHaveCount(0);
});

test("the creator answers on the start page, and is told there on any tab", async ({
  page,
  context,
  person,
  visitor,
}) => {
  const group = await createGroup(person, "night owls", true);
  await signedIn(context, person);
  await page.goto("/homepage");
  await expect(page.tab("Groups")).toBeVisible();
  const friend = await visitor();
  const emoji = await knocks(friend, group.url);
  await expect(page.tab("Groups 1 unread")).toBeVisible();
  await page.tab(/^Groups/).click();
  await sees(atTheDoor(page), `${emoji} is knocking at night owls`);
  // It is there after a reload, too.
  await page.reload();
  await button(atTheDoor(page), `Let ${emoji} in`).click();
  await friend.canTalk();
  await expect(page.tab("Groups")).toBeVisible();
});

test("the creator asks first from now on, and then no longer, which lets in all who wait", async ({
  page,
  group,
  visitor,
}) => {
  await page.enterAsCreator(group);
  await page.moreMenu("Ask me first");
  await page.sees("Newcomers knock now");
  const waiting = [await visitor(), await visitor()];
  for (const one of waiting) await knocks(one, group.url);
  await expect(atTheDoor(page).getByRole("listitem")).toHaveCount(2);
  await page.moreMenu("Stop asking me first");
  await page.sees("Newcomers come in without knocking");
  for (const one of waiting) await one.canTalk();
  await expect(atTheDoor(page)).toHaveCount(0);
});

test("an open group sees that its creator asks first since a moment ago, elsewhere", async ({
  page,
  group,
}) => {
  await page.enterAsCreator(group);
  const entry = page.getByRole("menuitem", { name: "Stop asking me first", exact: true });
  for (const isOn of [true, false]) {
    await askFirst(group, isOn);
    await expect(async () => {
      await page.moreMenu();
      const count = await entry.count();
      await page.keys("Escape");
      expect(count).toBe(Number(isOn));
    }).toPass();
  }
});

test("a visitor is told when nobody has answered, and can knock again", async ({ person, visitor }) => {
  const group = await createGroup(person, "night owls", true);
  const late = await visitor();
  // Nobody waits ten minutes in a test: the server's answer is that of the end.
  await late.route("**/knock/*", (route) =>
    route.fulfill({ json: { status: 200, data: { state: "lapsed", emoji: "🦊", seconds_left: 0 } } }),
  );
  await late.goto(group.url);
  await late.button("Knock").click();
  await sees(late, "Nobody opened the door in time.");
  await late.unroute("**/knock/*");
  await late.button("Knock again").click();
  await sees(late, "You’re in as soon as you’re let in.");
});

test("the keyboard is enough to knock and to answer", async ({ page, person, visitor }) => {
  const group = await createGroup(person, "night owls", true);
  await page.enterAsCreator(group);
  const friend = await visitor();
  await friend.goto(group.url);
  await friend.button("Knock").focus();
  await friend.keys("Enter");
  await sees(friend, /^You’re \S+$/);
  await expect(atTheDoor(page)).toBeVisible();
  await button(atTheDoor(page), /^Let/).focus();
  await page.keys("Tab");
  await expect.poll(() => page.focused()).toMatch(/^Decline/);
  await page.keys("Shift+Tab", "Enter");
  await friend.canTalk();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
});

test("a group that is full or locked says so to who knocks", async ({ page, person, seats, visitor }) => {
  const group = await createGroup(person, "night owls", true);
  await page.enterAsCreator(group);
  const friend = await visitor();
  await friend.goto(group.url);
  await expect(friend.button("Knock")).toBeVisible();
  await page.moreMenu("Lock group");
  await page.answerQuestion("Lock");
  await friend.button("Knock").click();
  await sees(friend, "This group is locked");
  await page.moreMenu("Unlock group");
  await page.moreMenu("Stop asking me first");
  await page.sees("Newcomers come in without knocking");
  await seats(group, 9);
  await page.moreMenu("Ask me first");
  await friend.goto(group.url);
  await sees(friend, "Sorry, It Looks Like This Group Is Full Already");
});
