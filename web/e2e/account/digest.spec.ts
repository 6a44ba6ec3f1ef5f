/** The email that says once a day how much is waiting. */
import { expect, test } from "../support/test.ts";

test("it is switched on in the settings, and the page of its link asks before it ends it", async ({
  page,
  context,
  account: _,
}) => {
  await context.grantPermissions(["notifications"]);
  await page.goto("/settings");
  await page.button(/^While this page is closed/).click();
  const wish = page.dialog.getByRole("switch", { name: "Email me" });
  await expect(wish).not.toBeChecked();
  await wish.click();
  await page.sees("We’ll email you when something is waiting");
  await page.reload();
  await page.button(/^While this page is closed/).click();
  await expect(wish).toBeChecked();
  await wish.click();
  await page.sees("No more emails");

  // Programs that scan mails open links: that alone ends nothing.
  await page.goto("/mails/not-a-token");
  await page.sees("Would you like to stop them?");
  await page.button("Stop the emails").click();
  await page.sees("This link has already been used");
});
