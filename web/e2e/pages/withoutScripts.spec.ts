/** Browsers that run no scripts: pages can be read, in each language, and a note can be sent. */
import type { BrowserContextOptions } from "@playwright/test";
import { answerInPublic, inboxOf, register, setUpInbox, setUpPage } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const NONE: BrowserContextOptions = { javaScriptEnabled: false };

const box = (page: AppPage, label = "Your anonymous note") => page.getByLabel(label);

test("pages are read, and change their language", async ({ visitor }) => {
  const page = await visitor(NONE);
  await page.goto("/");
  await expect(page.heading(/^Say it without the name tag/)).toBeVisible();
  await page.link("Take the tour").click();
  await expect(page.locator("noscript p")).toContainText("Without JavaScript you only see the first page");
  await page.goto("/about");
  await expect(page.heading("About us")).toBeVisible();
  // What would do nothing isn't there.
  await expect(page.button(/^Switch to/)).toHaveCount(0);
  await page.getByLabel("Language").selectOption("de");
  await page.locator("noscript button").click();
  await expect(page.heading("Über uns")).toBeVisible();
  expect(new URL(page.url()).search).toBe("");
  await page.getByRole("contentinfo").getByRole("link", { name: "Datenschutz" }).click();
  await expect(page.heading("Datenschutz")).toBeVisible();
});

test("a note is refused with its words, then sent, and another one after it", async ({ visitor, person }) => {
  const page = await visitor(NONE);
  await page.goto(`/${person.username}`);
  await box(page).fill('<b>"short');
  await page.button("Send it").click();
  await page.sees("Please Lengthen your message to more than 10 Characters");
  await expect(box(page)).toHaveValue('<b>"short');
  await expect(page.locator("[data-scripted]:visible")).toHaveCount(0);
  await box(page).fill("Sent by a browser\nwithout any script.");
  await page.button("Send it").click();
  await expect(page.heading(`Anonymous Message Sent to ${person.username}`)).toBeVisible();
  await expect(page.link("Get your own link")).toBeVisible();
  await page.link("Send another").click();
  await expect(box(page)).toHaveValue("");
  expect(await inboxOf(person)).toEqual(["Sent by a browser\nwithout any script."]);
});

test("somebody's page has their line, their prompts and their public answers", async ({
  visitor,
  person,
}) => {
  await setUpPage(person, { line: "I <b>play</b> the {prompt}.", prompts: ["What should I play?", "{why}"] });
  const path = await answerInPublic(person, "You played well\non Friday. {end answer}", "See you in March.");
  const page = await visitor(NONE);
  await page.goto(`/${person.username}`);
  const main = page.locator("main");
  // Playwright doesn't look for words in this element.
  await expect(main.locator("noscript p").first()).toHaveText("I <b>play</b> the {prompt}.");
  await expect(main.locator("noscript li")).toHaveText(["What should I play?", "{why}"]);
  const answer = main.locator("article");
  await expect(answer).toContainText("See you in March.");
  await expect(answer.locator("blockquote")).toHaveText("You played well on Friday. {end answer}");
  await expect(answer.locator("a")).toHaveAttribute("href", path);
  // Somebody who shows nothing has a form, and no empty lists.
  await page.goto(`/${(await register(person.base)).username}`);
  await expect(box(page)).toBeVisible();
  await expect(main.locator("article, noscript li, noscript h2")).toHaveCount(0);
  expect(await page.content()).not.toMatch(/[{](each|end|line|note)/);
});

test("a page whose shield asks for scripts, or that is paused, says so before anybody writes", async ({
  visitor,
  person,
}) => {
  const page = await visitor(NONE);
  for (const [settings, words] of [
    [{ shield: "always" }, "Writing to it needs JavaScript."],
    [{ paused: true }, "is taking a break from notes"],
  ] as const) {
    await setUpInbox(person, settings);
    await page.goto(`/${person.username}`);
    await expect(page.locator("main form noscript p")).toContainText(words);
  }
});

test("a name that nobody has is a page that isn't there", async ({ visitor, page, server }) => {
  const plain = await visitor(NONE);
  const answer = await plain.goto(`${server.base}/nobody-of-that`);
  expect(answer?.status()).toBe(404);
  await expect(plain.heading("No one here goes by that name.")).toBeVisible();
  await expect(box(plain)).toHaveCount(0);
  await plain.link("Back to home").click();
  await expect(plain.heading(/^Say it without/)).toBeVisible();
  // Where scripts run, the app says it on its own page.
  await page.goto("/nobody-of-that");
  await page.sees("No one here goes by that name.");
  await page.waitForURL("**/error");
});

test("in German, too", async ({ visitor, person }) => {
  const page = await visitor({ ...NONE, locale: "de-DE" });
  await page.goto(`/${person.username}`);
  await box(page, "Deine anonyme Nachricht").fill("kurz");
  await page.getByRole("main").getByRole("button").last().click();
  await page.sees("Bitte schreib mehr als 10 Zeichen");
});

test("a page is reported, and its number tells how that stands", async ({ visitor, person }) => {
  const page = await visitor(NONE);
  await page.goto("/report");
  const words = page.getByLabel("What’s wrong?");
  await page.getByLabel("Page or link").fill(`/${person.username}`);
  await words.fill('<b>"short');
  await page.button("Send report").click();
  await page.sees("Say in at least 10 characters what’s wrong");
  await expect(page.getByLabel("Page or link")).toHaveValue(`/${person.username}`);
  await expect(page.locator("[data-scripted]:visible")).toHaveCount(0);
  await expect(words).toHaveValue('<b>"short');
  await words.fill("This page is about a friend\nof mine.");
  await page.button("Send report").click();
  await page.sees("Reported. Thanks for letting us know.");
  const number = (await page.locator("[data-receipt]").textContent()) ?? "";
  await page.button("See how it stands").click();
  await page.sees("It’s waiting.");
  await expect(page.getByLabel("Number")).toHaveValue(number);
  await page.goto("/report");
  await page.getByLabel("Number").fill("1234");
  await page.button("See how it stands").click();
  await page.sees("No report has this number, or it’s gone.");
});

test("a page that needs scripts says so itself, and offers nothing that doesn't work", async ({
  visitor,
  group,
}) => {
  const page = await visitor(NONE);
  for (const [path, why] of [
    ["/login", "Signing in needs JavaScript"],
    ["/signup", "Signing up needs JavaScript"],
    ["/reset", "This form needs JavaScript"],
    ["/reset/none", "This form needs JavaScript"],
    ["/confirm/none", "Confirming needs JavaScript"],
    ["/feedback", "Feedback needs JavaScript"],
    ["/homepage", "This page needs JavaScript"],
    ["/settings", "This page needs JavaScript"],
    ["/room/new", "This page needs JavaScript"],
    [group.path, "A group needs JavaScript"],
  ]) {
    await page.goto(path);
    // Playwright doesn't look for words in this element.
    const said = page.locator("main noscript p");
    await expect(said, path).toBeVisible();
    await expect(said, path).toContainText(why);
    await expect(page.getByRole("main").getByRole("textbox"), path).toHaveCount(0);
    await expect(page.getByRole("main").getByRole("button"), path).toHaveCount(0);
    await expect(page.getByRole("status"), path).toHaveCount(0);
  }
  // Nobody has taken a seat.
  const answer = await fetch(`${group.base}/api/room/${group.id}`);
  expect((await answer.json()).data.members).toEqual([]);
});

test("a form that was sent before the app was there keeps its words when the app comes", async ({
  page,
  person,
}) => {
  await page.route("**/assets/index-*.js", (route) => route.abort());
  await page.goto(`/${person.username}`);
  await box(page).fill("short");
  await page.unroute("**/assets/index-*.js");
  await page.button("Send it").click();
  await page.sees("Please Lengthen your message to more than 10 Characters");
  await page.takenOver();
  await expect(box(page)).toHaveValue("short");
  await page.sees("Please Lengthen your message to more than 10 Characters");
  await box(page).fill("Long enough for the app.");
  await page.button("Send it").click();
  await expect(page.heading(`Anonymous Message Sent to ${person.username}`)).toBeVisible();
  expect(await inboxOf(person)).toEqual(["Long enough for the app."]);
});
