/** Mails that the server sends, and what their links do. */
import { spawn } from "node:child_process";
import { PASSWORD } from "../support/people.ts";
import { freePort, startServer } from "../support/server.ts";
import { expect, test } from "../support/test.ts";

test("reset the password by the mailed link", async ({ page, server, person }) => {
  const gone = (words: string) => expect(page.getByText(words)).toHaveCount(0);
  await page.goto("/reset");
  const ask = async (email: string) => {
    await page.getByLabel("Email").fill(email);
    await page.button("Send link").click();
  };
  await ask("somebody");
  await page.sees("Invalid Email");
  await ask(person.email);
  await page.waitForURL("**/login");
  await page.sees("If there’s an account with this address");
  const pattern = new RegExp(`${server.base}/reset/[\\w-]+`);
  await expect.poll(() => server.mailTo(person.username)).toMatch(pattern);
  const [mailed] = (await server.mailTo(person.username)).match(pattern) ?? [""];

  await page.goto(mailed);
  const choose = async (next: string, again: string) => {
    await page.password("New password").fill(next);
    await page.password("Confirm new password").fill(again);
  };
  const save = page.button("Save password");
  await choose("short", "");
  await save.click();
  await page.sees("Password must be 8 characters or above");
  // The page shows no error about a password that is still being typed.
  await choose("battery staple", "battery");
  await gone("Password must be 8 characters or above");
  await save.click();
  await page.sees("Password do not match");
  await choose("battery staple", "battery staple");
  await gone("Password do not match");
  await save.click();
  await page.sees("Password Changed!");
  await page.waitForURL("**/login");
  await page.signInByForm(person.username, "battery staple");
  await page.waitForURL("**/homepage");
});

test("where mail goes out, an address is confirmed by the mailed link", async ({ page }) => {
  const port = await freePort();
  // This mail server prints the mails that it receives.
  const mailServer = `-u -m aiosmtpd -n -l 127.0.0.1:${port} -c aiosmtpd.handlers.Debugging stdout`;
  const post = spawn("/usr/bin/python3", mailServer.split(" "), { stdio: ["ignore", "pipe", "ignore"] });
  let mails = "";
  post.stdout.on("data", (data) => {
    mails += data;
  });
  const server = await startServer(["--smtp-url", `smtp+plain://127.0.0.1:${port}`]);
  try {
    await page.goto(`${server.base}/signup`);
    await page.getByLabel("Username").fill("by-mail");
    await page.getByLabel("Email").fill("by-mail@mail.example");
    await page.password().fill(PASSWORD);
    await page.button("Create account").click();
    await page.sees("Your email works too once you’ve opened the link");
    await page.waitForURL("**/homepage");
    await page.context().clearCookies();
    await page.goto(`${server.base}/login`);
    await page.signInByForm("by-mail@mail.example", PASSWORD);
    await page.sees("Wrong username, email or password.");
    await page.signInByForm("by-mail", PASSWORD);
    await page.waitForURL("**/homepage");

    await page.goto(`${server.base}/settings`);
    await page.sees("Not confirmed yet");
    await page.button("Send the link again").click();
    await page.sees("We’re emailing you a link. It works for 24 hours.");
    const link = () => mails.match(/\S+\/confirm\/[\w-]+/)?.[0] ?? "";
    await expect.poll(link).toBeTruthy();
    await page.goto(link());
    await expect(page.heading(/Is this account yours\? by-mail/)).toBeVisible();
    await expect(page.button("No, it isn’t mine"), "who only presses Enter says no").toBeFocused();
    await page.button("Yes, it’s mine").click();
    await page.sees("You can now sign in with it.");
    await page.waitForURL("**/settings");
    await expect(page.getByText("Not confirmed yet")).toHaveCount(0);
  } finally {
    await server.stop();
    post.kill();
  }
});
