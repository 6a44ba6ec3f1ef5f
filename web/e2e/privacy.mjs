/** What leaves the browser, and what stays in it. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { createRoom, PASSWORD, register, signedIn } from "./people.mjs";
import { enter, ICON, line, log, newRoom, say, showPictures, until, withPeople } from "./rooms.mjs";

const button = (page, name) => page.getByRole("button", exact(name));

async function signIn(page, base, { username }) {
  await page.goto(`${base}/login`);
  await page.getByLabel("Username or email").fill(username);
  await page.getByRole("textbox", exact("Password")).fill(PASSWORD);
  await button(page, "Sign in").click();
  await page.getByRole("heading", exact(`Hello, ${username}`)).waitFor();
}

/** The headers of all a page asks for, sockets too, as they really went out. */
async function recorded(page) {
  const requests = new Map();
  const client = await page.context().newCDPSession(page);
  const add = (id, more) => requests.set(id, { ...requests.get(id), ...more });
  client.on("Network.requestWillBeSent", ({ requestId, request }) => add(requestId, { url: request.url }));
  client.on("Network.webSocketCreated", ({ requestId, url }) => add(requestId, { url }));
  for (const event of ["Network.requestWillBeSentExtraInfo", "Network.webSocketWillSendHandshakeRequest"]) {
    client.on(event, ({ requestId, headers, request }) =>
      add(requestId, { headers: headers ?? request.headers }),
    );
  }
  await client.send("Network.enable");
  // The headers may be told before the address they went to.
  return () =>
    [...requests.values()]
      .filter(({ url }) => url !== undefined)
      .map(({ url, headers = {} }) => ({ path: url.replace(/^\w+:\/\/[^/]+/, ""), headers }));
}

/** A text in each form in which it could be found. */
function writtenAs(secret) {
  const base64 = Buffer.from(secret).toString("base64").replaceAll("=", "");
  return [secret, base64, base64.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(secret)];
}

/** What stands in headers, and in what of them is base64. */
function readable(headers) {
  const text = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  const parts = text.split(/[\s;,=:]+/).filter((part) => /^[\w-]{8,}$/.test(part));
  const decoded = parts.map((part) => Buffer.from(part, "base64url").toString("latin1"));
  return [text, decodeURIComponent(text.replaceAll("%", "%25")), ...decoded].join("\n");
}

export const privacy = {
  "privacy: what travels with a visit tells nothing of the account": async ({ context, page, base }) => {
    const person = await register(base, "shares-out");
    const { username: other } = await register(base, "somebody-els");
    const { url } = await newRoom(base);
    await createRoom(base, person, "of my own");
    await signIn(page, base, person);
    await page.getByRole("tab", exact("Groups")).click();
    await page.getByRole("link", { name: /of my own/ }).waitFor();
    const token = await tokenSeen(page, base);
    const requests = await recorded(page);
    await page.goto(`${base}/${other}`);
    await page.getByLabel("Your anonymous message").fill("Nobody learns that it was me.");
    await button(page, "Send it").click();
    await page.getByRole("heading", exact(`Anonymous Message Sent to ${other}`)).waitFor();
    await enter(page, url);
    await say(page, "hello");
    await line(page, "hello").getByTitle("Sent", exact("Sent")).waitFor();
    await page.goto(`${base}/homepage`);
    await page.getByRole("heading", exact(`Hello, ${person.username}`)).waitFor();
    await page.getByRole("tab", exact("Inbox")).click();

    const seen = requests();
    const forAccount = ({ path }) => /^\/api\/(messages|dashboard|rooms|inbox)\b/.test(path);
    assert.ok(
      seen.some(({ path }) => path === `/${other}`),
      "the page was asked for",
    );
    assert.ok(
      seen.some(({ path }) => /\/seat$/.test(path)),
      "the seat was asked for",
    );
    assert.ok(
      seen.some(({ path, headers }) => /room\/.*\/socket$/.test(path) && headers.Cookie),
      "a socket",
    );
    assert.ok(
      seen.some(({ headers }) => Object.values(headers).some((value) => value.includes("annon_token="))),
      "cookies were seen",
    );
    const secrets = [person.username, person.email, token, token.split(".")[1], token.split(".")[2]];
    for (const { path, headers } of seen) {
      if (forAccount({ path })) continue;
      const text = `${path}\n${readable(headers)}`;
      for (const secret of secrets.flatMap(writtenAs)) {
        assert.ok(!text.includes(secret), `${path} carries ${secret}:\n${text}`);
      }
    }
    // Where the token has to be, it is, and in no cookie.
    const bearers = seen.filter(forAccount).map(({ headers }) => headers);
    assert.ok(bearers.length > 0);
    for (const headers of bearers) {
      const cookies = Object.entries(headers).find(([name]) => /^cookie$/i.test(name))?.[1] ?? "";
      assert.ok(!cookies.includes(token));
    }
    assert.ok((await context.cookies()).length > 1);
  },

  "privacy: one tab signs out, another signs in, and a lost share signs out": async ({
    context,
    page,
    base,
  }) => {
    const person = await register(base, "many-tabs");
    await signIn(page, base, person);
    const second = await context.newPage();
    await second.goto(`${base}/homepage`);
    await second.getByRole("heading", exact(`Hello, ${person.username}`)).waitFor();
    await page.goto(`${base}/settings`);
    await page.getByRole("button", { name: /^Log Out/ }).click();
    await page.getByRole("alertdialog").getByRole("button", exact("Log Out")).click();
    await page.waitForURL("**/login");
    assert.deepEqual(await kept(page), []);
    await second.reload();
    await second.waitForURL("**/login");
    await signIn(second, base, person);
    await page.goto(`${base}/homepage`);
    await page.getByRole("heading", exact(`Hello, ${person.username}`)).waitFor();

    await page.evaluate(() => localStorage.removeItem("annon.pad.annon_token"));
    await page.goto(`${base}/homepage`);
    await page.waitForURL("**/login");
    const names = async () => (await context.cookies()).map(({ name }) => name);
    await until("the lone share goes", async () => !(await names()).includes("annon_token"));
    await second.close();
  },

  "privacy: a sign-in from before there were shares goes on, as shares": async ({ context, page, base }) => {
    const person = await register(base, "was-there");
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage`);
    await page.getByRole("heading", exact(`Hello, ${person.username}`)).waitFor();
    const [cookie] = (await context.cookies()).filter(({ name }) => name === "annon_token");
    assert.match(cookie.value, /^[\w-]{683}$/);
    await page.reload();
    await page.getByRole("heading", exact(`Hello, ${person.username}`)).waitFor();
  },

  "privacy: pictures are fetched once, and stay in no browser's cache": async ({ browser, page, base }) => {
    const { id, url } = await newRoom(base);
    await enter(page, url);
    await showPictures(page, [ICON], "look");
    await line(page, "look").getByTitle("Sent", exact("Sent")).waitFor();
    await withPeople(browser, url, 1, async (other) => {
      const requests = await recorded(other);
      await other.reload();
      const shown = () => line(other, "look").locator("[data-loaded]");
      await shown().waitFor();
      for (let at = 0; at < 60; at += 1) await say(page, `and so on, and so forth, for a while, ${at}`);
      const collector = await other.context().newCDPSession(other);
      for (let time = 0; time < 3; time += 1) {
        await log(other).evaluate((list) => list.scrollTo(0, list.scrollHeight));
        await line(other, "look").waitFor({ state: "detached" });
        await collector.send("HeapProfiler.collectGarbage");
        // A line that still comes may take the list down to it again.
        for (let look = 0; look < 20 && !(await shown().isVisible()); look += 1) {
          await log(other).evaluate((list) => list.scrollTo(0, 0));
          await shown()
            .waitFor({ timeout: 1_000 })
            .catch(() => {});
        }
        await shown().waitFor();
      }
      // What comes from memory has no headers: they never went out.
      const asked = requests()
        .filter(({ path, headers }) => path.includes("/image/") && Object.keys(headers).length > 0)
        .map(({ path }) => path);
      const pictures = new Set(asked);
      assert.ok(pictures.size >= 1 && asked.length === pictures.size, `fetched: ${asked.join(" ")}`);
      // A browser that kept it would have it without asking.
      const kept = (path) =>
        other.evaluate(
          (address) =>
            fetch(address, { cache: "only-if-cached", mode: "same-origin" }).then(
              ({ ok }) => ok,
              () => false,
            ),
          path,
        );
      for (const path of pictures) assert.equal(await kept(path), false, `${path} is in the cache`);
      assert.equal(
        await kept(
          new URL(await other.evaluate(() => document.querySelector("link[rel=stylesheet]").href)).pathname,
        ),
        true,
        "what may be kept is",
      );
      await other.goto(`${base}/room/${id}`);
    });
  },

  "privacy: no string becomes markup or code": async ({ page, base, complaints }) => {
    await page.goto(base);
    const done = await page.evaluate(() => {
      const tries = {
        innerHTML: () => {
          document.createElement("div").innerHTML = "<img src=x onerror=alert(1)>";
        },
        outerHTML: () => {
          document.body.firstElementChild.outerHTML = "<p>x</p>";
        },
        insertAdjacentHTML: () => document.body.insertAdjacentHTML("beforeend", "<p>x</p>"),
        write: () => document.write("<p>x</p>"),
        src: () => {
          document.createElement("script").src = "/assets/x.js";
        },
        timer: () => setTimeout("alert(1)"),
        worker: () => new Worker("/sw.js"),
        policy: () => window.trustedTypes.createPolicy("mine", { createHTML: (words) => words }),
        default: () => window.trustedTypes.createPolicy("default", { createHTML: (words) => words }),
      };
      return Object.entries(tries).flatMap(([name, attempt]) => {
        try {
          attempt();
          return [name];
        } catch {
          return [];
        }
      });
    });
    assert.deepEqual(done, []);
    // The browser says so, too, and here it is meant to.
    await until("the browser complains", () => complaints.length > 0);
    complaints.length = 0;
  },
};

/** The names of what a page keeps under its own site, but for what is no secret. */
const kept = (page) =>
  page.evaluate(() => [
    ...Object.keys(localStorage).filter((key) => key.startsWith("annon.pad.")),
    ...document.cookie.split("; ").filter((cookie) => cookie !== ""),
  ]);

/** The bearer token, as a call that needs it carries it. */
async function tokenSeen(page, base) {
  const asked = page.waitForRequest((request) => request.headers().authorization !== undefined);
  await page.goto(`${base}/homepage`);
  return (await asked).headers().authorization.replace("Bearer ", "");
}
