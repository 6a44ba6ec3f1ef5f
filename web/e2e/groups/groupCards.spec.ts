/** The cards of the user's own groups, and of the groups that this device has joined. */
import { exactly, PICTURE, sees } from "../support/page.ts";
import { createGroup, deleteGroup, signedIn } from "../support/people.ts";
import { type AppPage, expect, test, withSteps } from "../support/test.ts";

const card = (page: AppPage, name: string) => page.cards.filter({ hasText: name });
const joined = (page: AppPage) => page.getByText("Groups you’ve joined");

test("a group of one's own says what is new", async ({ page, context, newGroup, join }) => {
  const group = await newGroup("night owls");
  await signedIn(context, group.host);
  await page.goto("/homepage?tab=groups");
  const owls = card(page, "night owls");
  await sees(owls, /^(24h 0m|23h 59m) left$/);
  await sees(owls, "No one’s joined yet");
  await expect(owls.getByText(/ new$/)).toHaveCount(0);

  const room = withSteps(await context.newPage());
  await room.enter(group);
  await room.say("mine");
  await expect(room.line("mine")).toBeVisible();
  const other = await join(group);
  await other.say("seen");
  await expect(room.line("seen")).toBeVisible();
  await sees(owls, "2 here now, 2 of 10 seats taken");
  await expect(owls.getByText(/ new$/), "it was seen here").toHaveCount(0);
  await room.close();
  await sees(owls, "1 here now, 2 of 10 seats taken");
  await other.say("one", "two");
  await expect(exactly(owls, "2 new")).toBeVisible();
  // The user's own group is listed only once, although the device has joined it as well.
  await expect(page.cards).toHaveCount(1);
  expect(await page.keysOf(group)).toContain(`annon.group.${group.id}`);
});

test("the list of groups is live, and its tab counts what is new", async ({
  page,
  context,
  newGroup,
  join,
}) => {
  const group = await newGroup("night owls");
  await signedIn(context, group.host);
  await page.enter(group);
  await page.sends("mine");
  // The list doesn't have to be open.
  await page.goto("/homepage");
  const other = await join(group);
  await other.say("one", "two");
  const tab = page.tab(/^Groups/);
  await expect(tab).toHaveAccessibleName("Groups 2 unread");
  await tab.click();
  await expect(exactly(card(page, "night owls"), "2 new")).toBeVisible();
  await sees(card(page, "night owls"), "1 here now, 2 of 10 seats taken");

  // A group that is created or deleted elsewhere comes and goes.
  const tacos = await createGroup(group.host, "midnight tacos");
  await expect(card(page, "midnight tacos")).toBeVisible();
  await deleteGroup(group);
  await expect(card(page, "night owls")).toHaveCount(0);
  await expect(tab).toHaveAccessibleName("Groups");

  // What the socket has missed is read when it is back.
  await context.setOffline(true);
  const late = await join(tacos);
  await late.sends("while you were away");
  await context.setOffline(false);
  await sees(card(page, "midnight tacos"), "1 here now, 1 of 10 seats taken");
});

test("a group one has joined is listed, and forgotten", async ({ page, context, group, newGroup }) => {
  const { host } = await newGroup("night owls");
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(joined(page)).toHaveCount(0);
  await page.enter(group);
  await page.goto("/");
  const tacos = card(page, "midnight tacos");
  await sees(tacos, /^(24h 0m|23h 59m) left$/);

  await signedIn(context, host);
  // No request of a signed-in user names a group in which only the device has a seat.
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/homepage?tab=groups");
  await expect(card(page, "night owls")).toBeVisible();
  await expect(tacos).toBeVisible();
  expect(asked.filter((url) => url.includes(group.id))).toEqual([]);

  for (const answer of ["Cancel", "Forget"]) {
    await page.button("Forget midnight tacos").click();
    await page.answerQuestion(answer);
    await expect(tacos).toHaveCount(answer === "Forget" ? 0 : 1);
  }
  expect(await page.keysOf(group)).toEqual([]);
  await page.reload();
  await expect(card(page, "night owls")).toBeVisible();
  await expect(tacos).toHaveCount(0);
});

test("a group whose time is up goes from the list and from the device", async ({ me, group }) => {
  await me.goto("/about");
  await me.evaluate((room) => {
    const kept = { name: "soon over", ends: Date.now() + 4000 };
    localStorage.setItem(`annon.group.${room}`, JSON.stringify(kept));
  }, group.id);
  await me.goto("/");
  await expect(card(me, "soon over").getByText(/^0:0\d left$/)).toBeVisible();
  await expect(card(me, "soon over")).toHaveCount(0);
  expect(await me.keysOf(group)).toEqual([]);
});

test("the landing page forgets all of a group that ended meanwhile", async ({ me, context, group }) => {
  // Without a network, the code that sends a picture is loaded from the service worker.
  await me.keptByWorker();
  await context.setOffline(true);
  await me.showPictures([PICTURE]);
  await expect.poll(() => me.keptPictures()).toBe(1);
  await me.getByRole("textbox", { name: "Message" }).fill("said to nobody");
  await expect.poll(() => me.keysOf(group)).toContain(`annon.draft.${group.id}`);
  await me.goto("about:blank");

  await deleteGroup(group);
  await context.setOffline(false);
  await me.goto("/");
  await expect.poll(() => me.keysOf(group)).toEqual([]);
  await expect.poll(() => me.keptPictures()).toBe(0);
});
