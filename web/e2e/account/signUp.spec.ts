import { link } from "../support/page.ts";
import { PASSWORD, tokenOf } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("sign in, at the third try, and be asked no more", async ({ page, person }) => {
  await page.goto("/");
  await expect(link(page.getByRole("banner"), "Sign Up")).toBeVisible();
  await page.goto("/login");
  await page.signInByForm(person.email, "x");
  await page.sees("Kindly input valid login credentials");
  await expect(page.password()).toBeFocused();
  await expect(page.locator("[aria-invalid]")).toHaveCount(2);
  await page.signInByForm(person.email, "not the password");
  await page.sees("Wrong username, email or password.");
  await expect(page.password()).toHaveValue("not the password");
  await page.button("Show password").click();
  await expect(page.password()).toHaveAttribute("type", "text");
  // The name of the button is enough. "Hide password, pressed" would sound as if the password was hidden.
  await expect(page.button("Hide password")).not.toHaveAttribute("aria-pressed");
  await page.button("Close this message").click();
  await expect(page.getByText("Wrong username, email or password.")).toHaveCount(0);
  await page.signInByForm(person.email, PASSWORD);
  await page.waitForURL("**/homepage");
  await page.sees("User Logged In");
  await expect(page.heading(`Hello, ${person.username}`)).toBeVisible();
  await expect(page.getByText("User Logged In")).toHaveCount(0);
  for (const path of ["/login", "/signup"]) {
    await page.goto(path);
    await page.waitForURL("**/homepage");
  }
  const asked = page.link(/^Sign (in|up)$/i);
  for (const path of ["/", "/about"]) {
    await page.goto(path);
    await expect(link(page.getByRole("banner"), "My Inbox")).toBeVisible();
    await expect(asked).toHaveCount(0);
  }
  await page.link("My Inbox").click();
  await expect(page.heading("My Inbox")).toBeVisible();
  await page.goto(`/${person.username}`);
  await page.link("See it as others do").click();
  await page.getByLabel("Your anonymous note").fill("Nobody will ever know that it was me.");
  await page.button("Send it").click();
  await expect(page.link("My Inbox")).toBeVisible();
  await expect(asked).toHaveCount(0);
});

test("a refused name and a weak password are marked in the form", async ({ page, person }) => {
  await page.goto("/signup");
  const name = page.getByLabel("Username");
  await name.fill(person.username);
  await page.getByLabel("Email").fill("new@mail.example");
  await page.password().fill("12345678");
  await page.sees("Very weak password");
  await page.button("Create account").click();
  await expect(page.password()).toBeFocused();
  await expect(page.password()).toHaveAccessibleDescription(/^Many people use this password/);
  await expect(page.password()).toHaveAttribute("aria-invalid", "true");
  await page.password().fill("seven purple moons");
  await page.sees("Very strong password");
  await page.button("Create account").click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription("This username is already taken");
  await name.fill("somebody-new");
  await page.password().fill("Somebody-New");
  await page.button("Create account").click();
  await expect(page.password()).toHaveAccessibleDescription(/^Your password can’t be your username/);
  await page.password().fill(PASSWORD);
  await page.button("Create account").click();
  // Whoever signs up is signed in.
  await page.waitForURL("**/homepage");
  await page.sees("User Account Created");
  await page.sees("Welcome, somebody-new! Your link is ready.");
  await expect(page.heading("Hello, somebody-new")).toBeVisible();
});

test("a page that was wanted before signing in is shown after it", async ({ page, person }) => {
  await page.goto("/homepage?tab=groups");
  await page.waitForURL("**/login");
  await page.reload();
  await page.signInByForm(person.username, PASSWORD);
  await page.waitForURL("**/homepage?tab=groups");
  await expect(page.heading("My Groups")).toBeVisible();
});

test("a page that needs an account leads to the login", async ({ page, context, server, person }) => {
  for (const path of ["/homepage", "/settings"]) {
    await page.goto(path);
    await page.waitForURL("**/login");
  }
  // Another host of the same domain can set such a cookie, even with a valid token. The app must not accept it.
  await context.addCookies([{ name: "annon_token", value: await tokenOf(person), url: server.base }]);
  await page.goto("/homepage");
  await page.waitForURL("**/login");
});

test("signed out in another tab: to the login, and back to the group", async ({ page, context, account }) => {
  await page.goto("/room/new");
  await page.getByLabel("Group name").fill("midnight tacos");
  await context.clearCookies();
  await page.button("Create Group").click();
  await page.waitForURL("**/login");
  await page.sees("Please sign in to continue.");
  await page.signInByForm(account.username, PASSWORD);
  await page.waitForURL("**/room/new");
  await expect(page.getByLabel("Group name")).toBeVisible();
});
