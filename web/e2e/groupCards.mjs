/** The cards of groups: how one's own stand, and those this device has joined. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { signedIn } from "./people.mjs";
import { box, enter, kept, line, newRoom, say, until } from "./rooms.mjs";

const card = (page, name) => page.getByRole("article").filter({ hasText: name });
const look = (page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

export const groupCards = {
  "cards: a group of one's own says how long it lasts, who is there and what is new": async ({
    page,
    context,
    browser,
    base,
  }) => {
    const { host, id, url } = await newRoom(base, "night owls");
    await signedIn(context, base, host);
    await page.goto(`${base}/homepage?tab=groups`);
    const owls = card(page, "night owls");
    await owls.getByText(/^(24h 0m|23h 59m) left$/).waitFor();
    await owls.getByText("No one’s joined yet").waitFor();
    assert.equal(await owls.getByText(/ new$/).count(), 0);

    const room = await context.newPage();
    await enter(room, url);
    await say(room, "mine");
    await line(room, "mine").waitFor();
    const elsewhere = await browser.newContext({ locale: "en-GB" });
    try {
      const other = await elsewhere.newPage();
      await enter(other, url);
      await say(other, "seen");
      await line(room, "seen").waitFor();
      await look(page);
      await owls.getByText("2 here now, 2 of 10 seats taken").waitFor();
      assert.equal(await owls.getByText(/ new$/).count(), 0, "it was seen here");
      await room.close();
      await say(other, "one");
      await say(other, "two");
      await line(other, "two").waitFor();
      await until("news", async () => {
        await look(page);
        return (await owls.getByText("2 new", { exact: true }).count()) === 1;
      });
      await owls.getByText("1 here now, 2 of 10 seats taken").waitFor();
    } finally {
      await elsewhere.close();
    }
    // One's own group is listed once.
    assert.equal(await page.getByRole("article").count(), 1);
    assert.ok((await kept(page, id)).includes(`annon.group.${id}`));
  },

  "cards: a group one has joined is listed on this device, and forgotten when one says so": async ({
    page,
    context,
    base,
  }) => {
    const { id, url } = await newRoom(base, "midnight tacos");
    const { host } = await newRoom(base, "night owls");
    await page.goto(base);
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await page.getByText("Groups you’ve joined").count(), 0);
    await enter(page, url);
    await page.goto(base);
    const tacos = card(page, "midnight tacos");
    await tacos.getByText(/^(24h 0m|23h 59m) left$/).waitFor();

    await signedIn(context, base, host);
    const asked = [];
    page.on("request", (request) => request.url().includes(id) && asked.push(request.url()));
    await page.goto(`${base}/homepage?tab=groups`);
    await card(page, "night owls").waitFor();
    await tacos.waitFor();
    assert.deepEqual(asked, [], "an account is never asked about a seat's group");

    await page.getByRole("button", exact("Forget midnight tacos")).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", exact("Cancel")).click();
    await tacos.waitFor();
    await page.getByRole("button", exact("Forget midnight tacos")).click();
    await question.getByRole("button", exact("Forget")).click();
    await tacos.waitFor({ state: "detached" });
    assert.deepEqual(await kept(page, id), []);
    await page.reload();
    await card(page, "night owls").waitFor();
    assert.equal(await tacos.count(), 0);
  },

  "cards: a seat that a page carries itself is on no list": async ({ page, base }) => {
    const { id, url } = await newRoom(base, "no cookies");
    await page.addInitScript(() =>
      Object.defineProperty(Document.prototype, "cookie", { get: () => "", set: () => {} }),
    );
    await enter(page, url);
    await say(page, "words");
    await line(page, "words").waitFor();
    assert.ok(!(await kept(page, id)).includes(`annon.group.${id}`), "a list would lead to another seat");
    await page.goto(base);
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await page.getByText("Groups you’ve joined").count(), 0);
  },

  "cards: a group whose time is up goes from the list and from the device": async ({ page, base }) => {
    const { id, url } = await newRoom(base, "soon over");
    await enter(page, url);
    await page.goto(`${base}/about`);
    await page.evaluate((room) => {
      const ends = Date.now() + 4000;
      localStorage.setItem(`annon.group.${room}`, JSON.stringify({ name: "soon over", ends }));
    }, id);
    await page.goto(base);
    const over = card(page, "soon over");
    await over.getByText("1m left", { exact: true }).waitFor();
    await over.waitFor({ state: "detached" });
    assert.deepEqual(await kept(page, id), []);
    assert.equal(await box(page).count(), 0);
  },
};
