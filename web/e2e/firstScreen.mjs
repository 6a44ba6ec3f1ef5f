/** A group's first screen: drawn before the app is there, and taken over without anything moving. */
import assert from "node:assert/strict";
import { enter, line, newRoom, say, until, withPeople } from "./rooms.mjs";

const EARLY = "[data-early]";
const WORDS = ["Tacos at two?", "The place by the station is open, they say, all night long", "🌮", "ok"];

const APP = /\/assets\/base-[\w-]{8}\.js$/;

/** Holds back what a page asks for at `where`, until it is let on. */
async function holdBack(page, where) {
  let letOn;
  const held = new Promise((resolve) => {
    letOn = resolve;
  });
  await page.route(where, async (route) => {
    await held;
    await route.continue();
  });
  return letOn;
}

/** A group of two, of whom the page's own visitor has been there before: entering says nothing new. */
async function inGroup({ browser, page, base }, work) {
  // On a slow machine the worker is there before the app is kept away, and answers for its code.
  await page.addInitScript(() => delete Navigator.prototype.serviceWorker);
  const { id, url } = await newRoom(base);
  await enter(page, url);
  await withPeople(browser, url, 1, async (other) => {
    for (const words of WORDS) await say(other, words);
    await say(page, "mine");
    await line(other, "mine").waitFor();
    await line(page, WORDS[3]).waitFor();
    await work({ id, url });
  });
}

/** Where the things of a group's screen are, to a tenth of a pixel. */
const places = (page) =>
  page.evaluate(async () => {
    // Names have another width before their font is there, and that comes when it comes.
    await document.fonts.ready;
    const place = (found) => {
      const { x, y, width, height } = found.getBoundingClientRect();
      return [x, y, width, height].map((edge) => edge.toFixed(1)).join(" ");
    };
    const app = document.getElementById("app");
    const log = app.querySelector("article").closest("[class*=_log_]");
    const rows = [...log.querySelectorAll("article")].map((row) => {
      const words = row.querySelector("[data-emoji]");
      return [words.textContent, place(words), place(words.parentElement.parentElement), row.dataset.mine];
    });
    const parts = ["header", "back", "name", "box", "field", "me", "send"].map((part) => {
      const found = app.querySelector(`[class*=_${part}_]`);
      return [part, place(found)];
    });
    const faces = [...log.querySelectorAll("[data-tone]")].map(place);
    return {
      log: place(log),
      rows,
      faces,
      parts,
      background: getComputedStyle(document.body).backgroundColor,
    };
  });

/** A newcomer's page, which says when it asks for a seat. */
async function newcomer(context, asks) {
  const page = await context.newPage();
  // However slow the machine, it waits for its turn.
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  page.on("request", (request) => new URL(request.url()).pathname.endsWith("/seat") && asks());
  return page;
}

export const firstScreen = {
  "room: a newcomer whose tap opens it twice is one member": async ({ context, base }) => {
    const { url } = await newRoom(base);
    let asked = 0;
    const asks = () => {
      asked += 1;
    };
    const [one, two] = [await newcomer(context, asks), await newcomer(context, asks)];
    const letOn = await holdBack(one, /\/seat$/);
    await one.goto(url);
    await until("the first tab to ask", () => asked > 0);
    await two.goto(url);
    await two.waitForTimeout(500);
    assert.equal(asked, 1);
    letOn();
    for (const page of [one, two]) {
      await page.getByRole("button", { name: /^1 of 1 here now/ }).waitFor();
    }
    assert.equal(asked, 2);
  },

  "room: what was said is on the screen before the app, and stays where it is": async (given) => {
    const { page } = given;
    await inGroup(given, async ({ id, url }) => {
      for (const [width, height] of [
        [390, 844],
        [1280, 800],
      ]) {
        await page.setViewportSize({ width, height });
        const letIn = await holdBack(page, APP);
        const asked = [];
        const listen = (request) => asked.push(new URL(request.url()).pathname);
        page.on("request", listen);
        await page.goto(url, { waitUntil: "commit" });
        await page.locator(`${EARLY} article`).last().waitFor();
        const early = await places(page);
        assert.deepEqual(early.rows.map(([words]) => words).sort(), [...WORDS, "mine"].sort());
        assert.equal(await page.locator(`${EARLY} :is(a, img, button, textarea)`).count(), 0);
        letIn();
        await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
        await until("the list to be drawn", async () => (await page.getByRole("article").count()) >= 5);
        assert.equal(await page.locator(EARLY).count(), 0);
        // The list draws faces when it has measured its rows, before anything of them is painted.
        const faces = JSON.stringify(early.faces);
        await until("the faces", async () => JSON.stringify((await places(page)).faces) === faces);
        assert.deepEqual(await places(page), early);
        page.off("request", listen);
        await page.unroute(APP);
        // Both scripts together make one call.
        const calls = asked.filter((path) => path.startsWith("/api/") && !path.endsWith("/socket"));
        assert.deepEqual(calls, [`/api/room/${id}/seat`]);
      }
    });
  },

  "room: a chosen theme is there from the first moment": async (given) => {
    const { page } = given;
    await inGroup(given, async ({ url }) => {
      await page.evaluate(() => sessionStorage.setItem("theme", "dark"));
      const letIn = await holdBack(page, APP);
      await page.goto(url, { waitUntil: "commit" });
      await page.locator(`${EARLY} article`).last().waitFor();
      const early = await places(page);
      assert.equal(early.background, "rgb(23, 19, 43)");
      letIn();
      await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
      assert.equal((await places(page)).background, early.background);
    });
  },

  "room: the app starts although the first answer doesn't come": async (given) => {
    const { page, base } = given;
    const { id, url } = await newRoom(base);
    const answer = await holdBack(page, `**/api/room/${id}/seat`);
    await page.goto(url);
    await page.locator(EARLY).waitFor();
    // The router numbers the entries of the history as soon as it runs.
    await until("the app to run", () => page.evaluate(() => history.state?.idx === 0));
    assert.equal(await page.locator(EARLY).count(), 1);
    answer();
    await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  },

  "room: the worker is registered from a group, too, and leaves its calls alone": async (given) => {
    const { page, context, base } = given;
    const { id, url } = await newRoom(base);
    await enter(page, url);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const asked = [];
    context.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await enter(page, url);
    const calls = asked.filter((path) => path.startsWith("/api/") && !path.endsWith("/socket"));
    assert.deepEqual(calls, [`/api/room/${id}/seat`]);
  },
};
