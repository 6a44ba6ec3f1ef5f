import {
  answerQuestion,
  button,
  cookiesOf,
  dialog,
  focused,
  password,
  question,
  sees,
  signInByForm,
  visit,
} from "../support/page.ts";
import { PASSWORD } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("change the password, log out, delete the account", async ({ page, account }) => {
  await page.goto("/settings");
  await sees(page, account.email);

  await button(page, /^Change Password/).click();
  const change = async (current: string, chosen: string) => {
    await password(dialog(page), "Current password").fill(current);
    await password(dialog(page), "New password").fill(chosen);
    await password(dialog(page), "Confirm new password").fill(chosen);
    await button(dialog(page), "Change Password").click();
  };
  await change("wrong one", "1234");
  await sees(dialog(page), "Password too short");
  await change("wrong one", "battery staple");
  await sees(dialog(page), "incorrect password!");
  await change(PASSWORD, "battery staple");
  await sees(page, "Password Changed!");
  await expect(dialog(page)).toHaveCount(0);
  await expect.poll(() => focused(page)).toMatch(/^Change Password/);

  await button(page, /^Log Out/).click();
  await sees(page, "Are you sure you want to logout");
  await answerQuestion(page, "Log Out");
  await page.waitForURL("**/login");
  expect(Object.keys(await cookiesOf(page))).toEqual([]);

  await signInByForm(page, account.username, "battery staple");
  await page.waitForURL("**/homepage");
  await visit(page, "/settings");
  await button(page, /^Delete Account/).click();
  const confirm = button(dialog(page), "Delete Account");
  await password(page, "Your password").fill("1234");
  await expect(confirm).toBeDisabled();
  await password(page, "Your password").fill("12345");
  await confirm.click();
  await sees(page, "incorrect password!");
  await password(page, "Your password").fill("battery staple");
  await confirm.click();
  await page.waitForURL("**/login");
  expect(Object.keys(await cookiesOf(page))).toEqual([]);
  await signInByForm(page, account.username, "battery staple");
  await sees(page, "Wrong username, email or password.");
});

test("behind a dialog the page stands still", async ({ page, account: _ }) => {
  await page.setViewportSize({ width: 390, height: 420 });
  await page.goto("/settings");
  await button(page, /^Log Out/).click();
  await expect(question(page)).toBeVisible();
  const scrolled = () => page.evaluate(() => window.scrollY);
  const before = await scrolled();
  expect(before).toBeGreaterThan(0);
  await page.mouse.move(200, 200);
  await page.mouse.wheel(0, -400);
  // Nothing is what is waited for, so a moment has to pass.
  await page.waitForTimeout(200);
  expect(await scrolled()).toBe(before);
  await page.keyboard.press("Escape");
  await expect(question(page)).toHaveCount(0);
  await page.mouse.wheel(0, -400);
  await expect.poll(scrolled).toBeLessThan(before);
});
