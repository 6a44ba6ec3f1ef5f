/** What comes by mail, and what its links do. */
import { type AddressInfo, createServer } from "node:net";
import { PASSWORD, register } from "../support/people.ts";
import { startServer } from "../support/server.ts";
import { expect, test } from "../support/test.ts";

test("reset the password by the mailed link", async ({ page, server, person }) => {
  await page.goto("/reset");
  await page.getByLabel("Email").fill("not an address");
  await page.button("Send link").click();
  await page.sees("Invalid Email");
  await page.getByLabel("Email").fill(person.email);
  await page.button("Send link").click();
  await page.sees("If there’s an account with this address");
  const pattern = new RegExp(`${server.base}/reset/[\\w-]+`);
  await expect.poll(() => server.mailTo(person.username)).toMatch(pattern);
  const [mailed] = (await server.mailTo(person.username)).match(pattern) ?? [""];

  const choose = async (first: string, second: string) => {
    await page.password("New password").fill(first);
    await page.password("Confirm new password").fill(second);
    await page.button("Save password").click();
  };
  await page.goto(mailed);
  await choose("battery staple", "battery stable");
  await page.sees("Password do not match");
  await choose("battery staple", "battery staple");
  await page.sees("Password Changed!");
  await page.waitForURL("**/login");
  await page.signInByForm(person.username, "battery staple");
  await page.waitForURL("**/homepage");

  await page.visit(mailed);
  await choose("battery staple", "battery staple");
  await page.sees("This link has already been used or is too old. Get a new one.");
});

test("a mail is in the language chosen in the app", async ({ page, server, person }) => {
  for (const [language, email, send, greeting] of [
    ["de", "E-Mail", "Link schicken", "Hallo"],
    ["en", "Email", "Send link", "Hello"],
  ]) {
    await page.goto("/reset");
    await page.locator("select").selectOption(language);
    await page.getByLabel(email).fill(person.email);
    await page.button(send).click();
    await expect.poll(() => server.mailTo(`${greeting} ${person.username},`)).not.toBe("");
    const mail = await server.mailTo(`${greeting} ${person.username},`);
    expect(mail, "the link can be copied").toMatch(/^http\S+\/reset\/[\w-]{43}$/m);
  }
});

test("where mail goes out, an address is confirmed by the mailed link", async ({ page }) => {
  const post = await startMailServer();
  const server = await startServer(["--smtp-url", post.url]);
  try {
    await page.goto(`${server.base}/signup`);
    await page.getByLabel("Username").fill("by-mail");
    await page.getByLabel("Email").fill("by-mail@mail.example");
    await page.password().fill(PASSWORD);
    await page.button("Create account").click();
    await page.sees("Your email works too once you’ve opened the link");
    await page.waitForURL("**/login");
    await page.signInByForm("by-mail@mail.example", PASSWORD);
    await page.sees("Wrong username, email or password.");
    await page.signInByForm("by-mail", PASSWORD);
    await page.waitForURL("**/homepage");

    await page.goto(`${server.base}/settings`);
    await page.sees("Not confirmed yet");
    await page.button("Send the link again").click();
    await page.sees("We’ve emailed you a link. It works for 24 hours.");
    await expect.poll(post.link).toBeTruthy();
    await page.goto(post.link());
    await expect(page.getByRole("heading", { name: "Is by-mail yours?" })).toBeVisible();
    await expect(page.button("No, it isn’t mine"), "who only presses Enter says no").toBeFocused();
    await page.button("Yes, it’s mine").click();
    await page.sees("You can now sign in with it.");
    await page.waitForURL("**/settings");
    await expect(page.getByText("Not confirmed yet")).toHaveCount(0);
  } finally {
    await server.stop();
    post.stop();
  }
});

test("a No ends the mailed link", async ({ page }) => {
  const post = await startMailServer();
  const server = await startServer(["--smtp-url", post.url]);
  try {
    await register(server.base, "not-mine");
    await expect.poll(post.link).toBeTruthy();
    await page.goto(post.link());
    await page.button("No, it isn’t mine").click();
    await page.sees("The link no longer works.");
    await page.waitForURL("**/login");
    await page.visit(post.link());
    await page.sees("This link has already been used or is too old. Get a new one.");
    await expect(page.button("Yes, it’s mine")).toHaveCount(0);
  } finally {
    await server.stop();
    post.stop();
  }
});

/** Takes every mail, and knows the first link to confirm an address among them. */
async function startMailServer() {
  let mails = "";
  const server = createServer((socket) => {
    let [isMail, rest] = [false, ""];
    socket.on("error", () => {});
    socket.setEncoding("utf8").write("220 mail.example\r\n");
    socket.on("data", (data) => {
      const lines = (rest + data).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (isMail && line !== ".") mails += `${line}\n`;
        else if (line === "DATA") socket.write("354 go on\r\n");
        else socket.write(line === "QUIT" ? "221 bye\r\n" : "250 fine\r\n");
        isMail = isMail ? line !== "." : line === "DATA";
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp+plain://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => server.close(),
    link: () => mails.match(/\S+\/confirm\/[\w-]+/)?.[0] ?? "",
  };
}
