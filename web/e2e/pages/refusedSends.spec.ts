/** The reason why a form wasn't sent is in view, beside the button that was pressed. */
import { sendNotes } from "../support/people.ts";
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
