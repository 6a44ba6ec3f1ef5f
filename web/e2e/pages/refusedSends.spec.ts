/** The reason why a form wasn't sent is in view, beside the button that was pressed. */
import { inboxOf, sendNotes } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

test.use({ viewport: { width: 390, height: 640 } });

/** Fails unless a reason is shown whole in the window, close above the pressed button. */
async function isToldBeside(page: AppPage, name: string) {
  const reason = page.getByRole("alert").filter({ hasText: /\S/ });
  await expect(reason).toBeVisible();
  await page.atRest();
  const at = await reason.boundingBox();
  const button = await page.button(name).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  if (!at || !button) throw new Error("the reason or the button is nowhere");
  expect(at.y, "the reason begins in the window").toBeGreaterThanOrEqual(0);
  expect(button.y + button.height, "the button ends in the window").toBeLessThanOrEqual(height);
  expect(button.y - (at.y + at.height), "the reason is above the button").toBeGreaterThanOrEqual(0);
  expect(button.y - (at.y + at.height)).toBeLessThan(60);
}

test("a note that nobody takes", async ({ page, person }) => {
  await page.goto(`/${person.username}`);
  const words = page.getByLabel("Your anonymous note");
  await words.fill("You sat with me at lunch that day.");
  await page.route("**/api/annon-message", (route) => route.abort("connectionrefused"));
  await page.button("Send it").click();
  await page.sees("The server isn’t responding. Try again in a moment.");
  await isToldBeside(page, "Send it");
  await expect(words).toHaveValue("You sat with me at lunch that day.");
});

test("a note whose answer got lost arrives once, also after a reload", async ({ page, person }) => {
  await page.goto(`/${person.username}`);
  const words = page.getByLabel("Your anonymous note");
  await words.fill("You sat with me at lunch that day.");
  // The server has it, and its answer never comes.
  await page.route("**/api/annon-message", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  for (const again of [false, true]) {
    if (again) await page.reload();
    await page.button("Send it").click();
    await page.sees("The server isn’t responding. Try again in a moment.");
  }
  await page.unroute("**/api/annon-message");
  await page.button("Send it").click();
  await page.sees(`Anonymous Message Sent to ${person.username}`);
  expect(await inboxOf(person)).toEqual(["You sat with me at lunch that day."]);
  // A second note in the same words is a note of its own.
  await page.getByRole("link", { name: "Send another" }).click();
  await words.fill("You sat with me at lunch that day.");
  await page.button("Send it").click();
  await page.sees(`Anonymous Message Sent to ${person.username}`);
  expect(await inboxOf(person)).toHaveLength(2);
});

test("feedback, a sign-in, and a sign-up that the server refuses", async ({ page }) => {
  for (const call of ["feedback", "login", "register"]) await page.answers(`**/api/${call}`, 503);
  await page.goto("/feedback");
  await page.getByLabel("Your feedback").fill("It could be a little larger.");
  await page.button("Send feedback").click();
  await isToldBeside(page, "Send feedback");
  await page.goto("/login");
  await page.signInByForm("somebody", "correct horse");
  await isToldBeside(page, "Sign in");
  await page.goto("/signup");
  await page.getByLabel("Username").fill("somebody-new");
  await page.getByLabel("Email").fill("somebody@mail.example");
  await page.password().fill("correct horse battery");
  await page.button("Create account").click();
  await isToldBeside(page, "Create account");
});

test("a form in a dialog", async ({ page, account }) => {
  await sendNotes(account, "Will you play again this summer?");
  await page.goto("/settings");
  await page.button(/^Your page/).click();
  await page.dialog.getByLabel("About you").fill("I play the cello.");
  await page.answers("**/api/page", 503);
  await page.button("Save your page").click();
  await isToldBeside(page, "Save your page");
});
