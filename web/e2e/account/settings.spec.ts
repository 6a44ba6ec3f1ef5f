import { button, password, sees } from "../support/page.ts";
import { PASSWORD } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("change the password, delete the account, and behind a dialog the page stands still", async ({
  page,
  account,
}) => {
  await page.setViewportSize({ width: 390, height: 420 });
  await page.goto("/settings");
  await page.sees(account.email);
  await page.button(/^Log Out/).click();
  await expect(page.question).toBeVisible();
  const scrolled = () => page.evaluate(() => window.scrollY);
  const before = await scrolled();
  expect(before).toBeGreaterThan(0);
  await page.mouse.move(200, 200);
  await page.mouse.wheel(0, -400);
  // The test checks that nothing happens, so it waits for a moment.
  await page.waitForTimeout(200);
  expect(await scrolled()).toBe(before);
  await page.escape(page.question);
  await page.mouse.wheel(0, -400);
  await expect.poll(scrolled).toBeLessThan(before);
  await page.setViewportSize({ width: 390, height: 844 });

  await page.button(/^Change Password/).click();
  const change = async (current: string, chosen: string) => {
    await password(page.dialog, "Current password").fill(current);
    await password(page.dialog, "New password").fill(chosen);
    await password(page.dialog, "Confirm new password").fill(chosen);
    await button(page.dialog, "Change Password").click();
  };
  await change("wrong one", "battery staple");
  await sees(page.dialog, "incorrect password!");
  await expect(password(page.dialog, "Current password")).toBeFocused();
  await change(PASSWORD, "QWERTYUIOP");
  await expect(password(page.dialog, "New password")).toHaveAccessibleDescription(/^Many people use/);
  await change(PASSWORD, "battery staple");
  await page.sees("Password Changed!");
  const device = () => page.evaluate(() => localStorage.annon_device);
  expect(await device(), "a browser that the server knows").toBeTruthy();
  await expect(page.dialog).toHaveCount(0);
  await expect.poll(() => page.focused()).toMatch(/^Change Password/);

  await page.button(/^Delete Account/).click();
  const confirm = button(page.dialog, "Delete Account");
  await page.password("Your password").fill("1234");
  await expect(confirm).toBeDisabled();
  await page.password("Your password").fill("wrong one");
  await confirm.click();
  await sees(page.dialog, "incorrect password!");
  await page.password("Your password").fill("battery staple");
  await confirm.click();
  await page.waitForURL("**/login");
  await expect.poll(async () => Object.keys(await page.cookiesOf())).toEqual([]);
  expect(await device()).toBeUndefined();
  await page.signInByForm(account.username, "battery staple");
  await page.sees("Wrong username, email or password.");
});

test("see where one is signed in, and sign out there", async ({ page, account, visitor }) => {
  const other = await visitor({
    userAgent: "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0",
  });
  await other.goto("/login");
  await other.signInByForm(account.username, PASSWORD);
  await other.waitForURL("**/homepage");
  await page.goto("/settings");
  await page.button(/^Where you’re signed in/).click();
  await sees(page.dialog, "Firefox on Android");
  await sees(page.dialog, "This browser");
  await button(page.dialog, "Sign out: Firefox on Android").click();
  await page.sees("Signed out there");
  await expect(page.dialog.getByText("Firefox on Android")).toHaveCount(0);
  // The page that was open there hears of it.
  await other.waitForURL("**/login");
  await expect(page.dialog).toBeVisible();
});
