/** What comes by mail, and what its links do. */
import { type AddressInfo, createServer } from "node:net";
import { PASSWORD } from "../support/people.ts";
import { startServer } from "../support/server.ts";
import { expect, test } from "../support/test.ts";

test("reset the password by the mailed link", async ({ page, server, person }) => {
  await page.goto("/reset");
  await page.getByLabel("Email").fill(person.email);
  await page.button("Send link").click();
  await page.sees("If there’s an account with this address");
  const pattern = new RegExp(`${server.base}/reset/[\\w-]+`);
  await expect.poll(() => server.mailTo(person.username)).toMatch(pattern);
  const [mailed] = (await server.mailTo(person.username)).match(pattern) ?? [""];

  const choose = async (words: string) => {
    for (const label of ["New password", "Confirm new password"]) await page.password(label).fill(words);
    await page.button("Save password").click();
  };
  await page.goto(mailed);
  await choose("battery staple");
  await page.sees("Password Changed!");
  await page.waitForURL("**/login");
  await page.signInByForm(person.username, "battery staple");
  await page.waitForURL("**/homepage");

  await page.visit(mailed);
  await choose("battery staple");
  await page.sees("This link has already been used or is too old. Get a new one.");
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
    await expect(page.heading(/Is by-mail yours\?/)).toBeVisible();
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
