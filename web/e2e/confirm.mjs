import assert from "node:assert/strict";
import { createServer } from "node:net";
import { exact } from "./exact.mjs";
import { startServer } from "./server.mjs";

const PASSWORD = "correct horse";

/** Where mail goes out: an address is somebody's once the button behind the mailed link was pressed. */
export const confirming = {
  "confirm an address by the mailed link": async ({ page }) => {
    const post = await startMailServer();
    const server = await startServer(process.env.ANNON_BIN, ["--smtp-url", post.url]);
    try {
      await signUpAndConfirm(page, server.base, post);
    } finally {
      await server.stop();
      post.stop();
    }
  },
};

async function signUpAndConfirm(page, base, post) {
  await page.goto(`${base}/signup`);
  await page.getByLabel("Username").fill("by-mail");
  await page.getByLabel("Email").fill("by-mail@mail.example");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", exact("Create account")).click();
  await page.getByText("Your email works too once you’ve opened the link").waitFor();
  await page.waitForURL("**/login");
  await signIn(page, "by-mail@mail.example");
  await page.getByText("Wrong username, email or password.").waitFor();
  await signIn(page, "by-mail");
  await page.waitForURL("**/homepage");

  await page.goto(`${base}/settings`);
  await page.getByText("Not confirmed yet").waitFor();
  await page.getByRole("button", exact("Send the link again")).click();
  await page.getByText("We've emailed you a link. It works for 24 hours.").waitFor();
  const link = await post.link(/\S+\/confirm\/[\w-]+/);
  await page.goto(link);
  await page.getByRole("heading", { name: "Is by-mail yours?" }).waitFor();
  await page.getByRole("button", exact("Yes, it’s mine")).click();
  await page.getByText("You can now sign in with it.").waitFor();
  await page.waitForURL("**/settings");
  assert.equal(await page.getByText("Not confirmed yet").count(), 0);
}

async function signIn(page, name) {
  await page.getByLabel("Username or email").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", exact("Sign in")).click();
}

/** Takes every mail and keeps it. */
function startMailServer() {
  const mails = [];
  const server = createServer((socket) => {
    let reading = false;
    socket.setEncoding("utf8").write("220 mail.example\r\n");
    let rest = "";
    socket.on("error", () => {});
    socket.on("data", (data) => {
      const lines = (rest + data).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (reading && line !== ".") mails[mails.length - 1] += `${line}\n`;
        else if (reading) {
          reading = false;
          socket.write("250 taken\r\n");
        } else if (line === "DATA") {
          reading = true;
          mails.push("");
          socket.write("354 go on\r\n");
        } else socket.write(line === "QUIT" ? "221 bye\r\n" : "250 fine\r\n");
      }
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve({
        url: `smtp+plain://127.0.0.1:${server.address().port}`,
        stop: () => server.close(),
        async link(pattern) {
          for (let attempt = 0; attempt < 600; attempt += 1) {
            const found = mails.map((mail) => mail.match(pattern)?.[0]).find(Boolean);
            if (found) return found;
            await new Promise((again) => setTimeout(again, 50));
          }
          throw new Error("no mail came");
        },
      });
    });
  });
}
