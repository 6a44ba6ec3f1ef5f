/** The conversations that a device remembers, and their answers. */
import { button, link } from "../support/page.ts";
import { askForAnswer, endConversation, type Person, register, sayIn } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const NOTE = "You sat with me at lunch that day.";
const list = (page: AppPage) => page.region("Waiting for answers");
const mark = (page: AppPage, words: string) => link(page.getByRole("banner"), words);

/** Opens the private link, and remembers it on this device. */
async function remember(page: AppPage, to: Person) {
  const conversation = await askForAnswer(to, NOTE);
  await page.goto("about:blank");
  await page.goto(to.base + conversation.path);
  await page.sees(NOTE);
  await page.moreMenu("Remember on this device");
  await page.sees("This device remembers it");
  return conversation;
}

/** Waits until this device knows that it has shown the answers. */
const hasRead = (page: AppPage, { id }: { id: string }) =>
  expect
    .poll(() => page.evaluate((key) => localStorage.getItem(key), `annon.conversation.${id}`))
    .toMatch(/"read":[1-9]/);

test("an answer is announced on the landing page and on the personal page, until it is read", async ({
  page,
  person,
}) => {
  const conversation = await remember(page, person);
  await page.visit("/");
  await expect(list(page).getByText("No answer yet")).toBeVisible();
  await sayIn(conversation, "owner", "I remember it well.");
  await page.visit("/");
  await expect(list(page).getByText("1 answer")).toBeVisible();
  await sayIn(conversation, "owner", "Very well.");
  await page.visit(`/${person.username}`);
  await expect(list(page).getByText("2 answers")).toBeVisible();
  await link(list(page), `Your note to ${person.username}`).click();
  await expect(page.line("Very well.")).toBeVisible();
  await expect
    .poll(async () => {
      await page.visit("/");
      // What is new is asked for when the list is there.
      await expect(list(page)).toContainText(/Answered|\d answer/);
      return list(page).textContent();
    })
    .toContain("Answered, and you’ve read it");
});

test("every page's header has the number of new answers, and leads to them", async ({
  page,
  person,
  server,
}) => {
  const first = await remember(page, person);
  const second = await remember(page, await register(server.base));
  await page.visit("/about");
  await expect(page.heading("About us")).toBeVisible();
  await expect(page.getByRole("banner").getByText("answer")).toHaveCount(0);
  await sayIn(first, "owner", "I remember it well.");
  // Whoever comes back to the tab is told at once.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(mark(page, "1 answer")).toBeVisible();
  expect(await page.sticksOut()).toBe(0);
  for (const path of ["/login", "/getstarted", `/${second.to.username}`]) {
    await page.visit(path);
    await expect(mark(page, "1 answer")).toBeVisible();
    expect(await page.sticksOut()).toBe(0);
  }
  await sayIn(second, "owner", "So do I.");
  await page.visit("/blog");
  await mark(page, "2 answers").click();
  await expect(list(page).getByText("1 answer")).toHaveCount(2);
  await link(list(page), `Your note to ${person.username}`).click();
  await expect(page.line("I remember it well.")).toBeVisible();
  await hasRead(page, first);
  await page.goBack();
  await mark(page, "1 answer").click();
  await expect(page.line("So do I.")).toBeVisible();
  await hasRead(page, second);
  await page.visit("/about");
  await expect(page.heading("About us")).toBeVisible();
  await expect(page.getByRole("banner").getByText("answer")).toHaveCount(0);
});

test("an answer that was read in another browser is said to be read elsewhere", async ({
  page,
  person,
  visitor,
}) => {
  const conversation = await remember(page, person);
  await page.visit("/");
  await sayIn(conversation, "owner", "I remember it well.");
  const elsewhere = await visitor();
  await elsewhere.goto(person.base + conversation.path);
  await expect(elsewhere.line("I remember it well.")).toBeVisible();
  await expect
    .poll(async () => {
      await page.visit("/");
      await expect(list(page)).toContainText(/Answered|\d answer/);
      return list(page).textContent();
    })
    .toContain("Answered, read elsewhere");
  await link(list(page), `Your note to ${person.username}`).click();
  await expect(page.line("I remember it well.")).toBeVisible();
  await hasRead(page, conversation);
  await page.goBack();
  await expect(list(page).getByText("Answered, and you’ve read it")).toBeVisible();
});

test("one is forgotten, or all, and what has ended says so", async ({ page, person, server }) => {
  const others = [await register(server.base), await register(server.base)];
  const ended = await remember(page, person);
  for (const other of others) await remember(page, other);
  await page.visit("/");
  await expect(list(page).getByRole("article")).toHaveCount(3);
  await endConversation(ended, "owner");
  await page.visit("/");
  await expect(list(page).getByRole("article").last()).toContainText("Ended and deleted");
  await expect(link(list(page), `Your note to ${person.username}`)).toHaveCount(0);
  // Its key is of no use any more.
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(ended.secret);
  await button(list(page), `Forget the note to ${person.username}`).click();
  await page.answerQuestion("Forget");
  await expect(list(page).getByRole("article")).toHaveCount(2);
  // On somebody's page are only the notes to them.
  await page.visit(`/${others[0]?.username}`);
  await expect(list(page).getByRole("article")).toHaveCount(1);
  await page.visit("/");
  await button(list(page), `Forget the note to ${others[0]?.username}`).click();
  await page.answerQuestion("Forget");
  await expect(list(page).getByRole("article")).toHaveCount(1);
  await remember(page, person);
  await page.visit("/");
  await button(list(page), "Forget all").click();
  await page.answerQuestion("Forget all");
  await expect(list(page)).toHaveCount(0);
  const kept = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.includes("conversation")),
  );
  expect(kept).toEqual([]);
});

test("what is remembered stays if the server doesn't answer", async ({ page, person, server }) => {
  await remember(page, person);
  await page.keptByWorker();
  await server.kill();
  await page.visit("/");
  await expect(list(page).getByRole("article")).toHaveCount(1);
  await server.restart();
});

test("by keyboard alone: asked, remembered, and answered", async ({ page, person }) => {
  await page.visit(`/${person.username}`);
  await page.getByLabel("Your anonymous note").focus();
  await page.keyboard.type(NOTE);
  await page.keys("Tab");
  await expect.poll(page.focused).toContain(`Only for ${person.username}`);
  await page.keys("Tab");
  await expect.poll(page.focused).toContain("I’d like an answer");
  await page.keys("Space", "Tab", "Enter");
  await page.sees("Your private link");
  const open = page.region("Your private link").getByRole("link");
  await open.focus();
  await page.keys("Tab");
  await expect.poll(page.focused).toContain("Copy link");
  const rememberIt = page.button("Remember on this device");
  while (!(await rememberIt.evaluate((element) => element === document.activeElement)))
    await page.keys("Tab");
  await page.keys("Enter");
  await page.sees("This device remembers it");
  await open.focus();
  await page.keys("Enter");
  await expect(page.box).toBeVisible();
  await page.box.focus();
  await page.keyboard.type("One more thing");
  await page.keys("Enter");
  await expect(page.sent("One more thing")).toBeVisible();
  // To the line, its menu, and back.
  await page.keys("ArrowUp", "Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  const unsend = page.getByRole("menuitem", { name: "Unsend" });
  while (!(await unsend.evaluate((element) => element === document.activeElement)))
    await page.keys("ArrowDown");
  await page.keys("Enter");
  await page.sees("Message removed");
});

test("one that ended since this device remembers it is said to have ended", async ({ page, person }) => {
  const conversation = await remember(page, person);
  await page.goto("about:blank");
  await endConversation(conversation, "owner");
  await page.goto(person.base + conversation.path);
  await expect(page.heading("Conversation ended")).toBeVisible();
  await page.visit("/");
  await expect(page.heading(/^Say it without/)).toBeVisible();
  await expect(list(page)).toHaveCount(0);
});
