/** What a visit sends to the server, and which sign-in counts. */
import { until } from "../support/page.ts";
import { createGroup, PASSWORD, type Person, register } from "../support/people.ts";
import { type AppPage, expect, test, withSteps } from "../support/test.ts";

const seesHome = (page: AppPage, { username }: Person) =>
  expect(page.heading(`Hello, ${username}`)).toBeVisible();

async function signIn(page: AppPage, person: Person) {
  await page.goto("/login");
  await page.signInByForm(person.username, PASSWORD);
  await seesHome(page, person);
}

/** Records the headers of all requests of a page, also those of sockets, as they were really sent. */
async function recorded(page: AppPage) {
  const requests = new Map<string, { url?: string; headers?: Record<string, string> }>();
  const client = await page.context().newCDPSession(page);
  // The browser may report the headers of a request before its address.
  const add = (id: string, more: object) => requests.set(id, { ...requests.get(id), ...more });
  client.on("Network.requestWillBeSent", ({ requestId, request }) => add(requestId, { url: request.url }));
  client.on("Network.webSocketCreated", ({ requestId, url }) => add(requestId, { url }));
  client.on("Network.requestWillBeSentExtraInfo", ({ requestId, headers }) => add(requestId, { headers }));
  client.on("Network.webSocketWillSendHandshakeRequest", ({ requestId, request }) =>
    add(requestId, { headers: request.headers }),
  );
  await client.send("Network.enable");
  return () =>
    [...requests.values()].flatMap(({ url, headers = {} }) =>
      url ? [{ path: url.replace(/^\w+:\/\/[^/]+/, ""), headers }] : [],
    );
}

/** A text in each encoding in which it could be found. */
function writtenAs(secret: string) {
  const base64 = Buffer.from(secret).toString("base64").replaceAll("=", "");
  return [secret, base64, base64.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(secret)];
}

/** The text of headers, followed by the decoded text of those parts that are base64. */
function readable(headers: Record<string, string>) {
  const text = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  const parts = text.split(/[\s;,=:]+/).filter((part) => /^[\w-]{8,}$/.test(part));
  const decoded = parts.map((part) => Buffer.from(part, "base64url").toString("latin1"));
  return [text, decodeURIComponent(text.replaceAll("%", "%25")), ...decoded].join("\n");
}

test("a visit sends nothing about the account", async ({ page, server, person, group }) => {
  const other = await register(server.base);
  await createGroup(person, "of my own");
  await signIn(page, person);
  await page.tab("Groups").click();
  await expect(page.link(/of my own/)).toBeVisible();
  const asking = page.waitForRequest((request) => request.headers().authorization !== undefined);
  await page.goto("/homepage");
  const token = (await asking).headers().authorization.replace("Bearer ", "");

  const requests = await recorded(page);
  await page.goto(`/${other.username}`);
  await page.getByLabel("Your anonymous note").fill("Nobody learns that it was me.");
  await page.button("Send it").click();
  await expect(page.heading(`Anonymous Message Sent to ${other.username}`)).toBeVisible();
  await page.enter(group);
  await page.sends("hello");
  await page.goto("/homepage");
  await seesHome(page, person);
  await page.tab("Inbox").click();

  // What a device remembers of conversations is asked by anybody, without an account.
  const forAccount = (path: string) =>
    /^\/api\/(messages|dashboard|rooms|inbox|seal|conversations(?!\/peek))\b/.test(path);
  const seen = requests();
  const anonymous = seen.filter(({ path }) => path.startsWith("/api/annon"));
  expect(anonymous.length).toBeGreaterThan(0);
  for (const { headers } of anonymous)
    expect(Object.keys(headers).join()).not.toMatch(/\b(cookie|authorization)\b/i);
  const paths = seen.map(({ path }) => path);
  expect(paths).toContain(`/${other.username}`);
  expect(paths.some((path) => /\/seat$/.test(path))).toBe(true);
  expect(seen.some(({ path, headers }) => /room\/.*\/socket$/.test(path) && headers.Cookie)).toBe(true);
  expect(seen.some(({ headers }) => JSON.stringify(headers).includes("annon_token="))).toBe(true);
  const device = await page.evaluate(() => localStorage.annon_device);
  const secrets = [person.username, person.email, device, token, ...token.split(".").slice(1)];
  for (const { path, headers } of seen) {
    if (forAccount(path)) continue;
    const text = `${path}\n${readable(headers)}`;
    const found = secrets.flatMap(writtenAs).filter((secret) => text.includes(secret));
    expect(found, text).toEqual([]);
  }
  // The calls that need the token have it, and never in a cookie.
  const bearers = seen.filter(({ path }) => forAccount(path));
  expect(bearers.length).toBeGreaterThan(0);
  for (const { headers } of bearers) {
    const [, cookies = ""] = Object.entries(headers).find(([name]) => /^cookie$/i.test(name)) ?? [];
    expect(cookies).not.toContain(token);
  }
  expect(Object.keys(await page.cookiesOf()).length).toBeGreaterThan(1);
});

test("one tab signs out, another signs in, and a lost share signs out", async ({ context, page, person }) => {
  await signIn(page, person);
  const second = withSteps(await context.newPage());
  await second.goto("/homepage");
  await seesHome(second, person);
  const device = await page.evaluate(() => localStorage.annon_device);
  expect(device).toBeTruthy();
  await page.goto("/settings");
  await page.button(/^Log Out/).click();
  await page.answerQuestion("Log Out");
  await page.waitForURL("**/login");
  const kept = () =>
    page.evaluate(() => [
      ...Object.keys(localStorage).filter((key) => key.startsWith("annon.pad.")),
      ...document.cookie.split("; ").filter((cookie) => cookie !== ""),
    ]);
  // The other tab may just be trying whether cookies are kept.
  await expect.poll(kept).toEqual([]);
  await second.reload();
  await second.waitForURL("**/login");
  // The next sign-in sends the device token that the server has given to this browser.
  const [asked] = await Promise.all([second.waitForRequest("**/api/login"), signIn(second, person)]);
  expect(asked.postDataJSON().device).toBe(device);
  await page.goto("/homepage");
  await seesHome(page, person);

  await page.evaluate(() => localStorage.removeItem("annon.pad.annon_token"));
  await page.goto("/homepage");
  await page.waitForURL("**/login");
  await until("the lone share goes", async () => !("annon_token" in (await page.cookiesOf())));
});

test("no string becomes markup or code", async ({ page, complaints }) => {
  await page.goto("/");
  for (const attempt of [
    `document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=alert(1)>")`,
    `void (document.createElement("script").src = "/assets/x.js")`,
    `setTimeout("alert(1)")`,
    `void new Worker("/sw.js")`,
    `void trustedTypes.createPolicy("mine", { createHTML: (words) => words })`,
    `void trustedTypes.createPolicy("default", { createHTML: (words) => words })`,
  ])
    await expect(page.evaluate(attempt), attempt).rejects.toThrow();
  // The browser reports these errors as well. Here it is expected to.
  await until("the browser complains", async () => complaints.length > 0);
  complaints.length = 0;
});
