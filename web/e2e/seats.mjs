/** How a group is opened: with one call, and by one person once. */
import assert from "node:assert/strict";
import { enter, newRoom, until } from "./rooms.mjs";

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

export const seats = {
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
