/** A page that loads itself anew and is led elsewhere: what Back does after that. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { register, signedIn } from "./people.mjs";
import { enter, newRoom, until } from "./rooms.mjs";

const heading = (page, name) => page.getByRole("heading", { level: 1, name });

async function openAbout(page, base) {
  await page.goto(`${base}/about`);
  await heading(page, "About us").waitFor();
}

/** The browser has lost its seat and its connection, and there is no group to take another seat in. */
async function loseSeat(page, sockets) {
  await page.route("**/api/room/*/seat", (route) =>
    route.fulfill({ status: 404, json: { status: 404, code: "not_found", message: "" } }),
  );
  await page.context().clearCookies();
  for (const socket of sockets) await socket.close({ code: 4000 });
  await heading(page, "Sorry, It Looks Like This Group Has Expired").waitFor();
}

export const lapsed = {
  "lapsed: who is led out of a group with something open is one Back away from where they came": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    const sockets = [];
    await page.routeWebSocket(/\/socket$/, (socket) => {
      socket.connectToServer();
      sockets.push(socket);
    });
    await openAbout(page, base);
    await enter(page, url);
    await page.getByRole("button", exact("More")).first().click();
    await page.getByRole("menuitem", exact("Invite by QR code")).click();
    await page.getByRole("dialog").waitFor();
    await until("an entry", () => page.evaluate(() => history.state.overlays === 1));
    await loseSeat(page, sockets);
    assert.ok(await page.evaluate(() => !history.state.overlays));
    await page.goBack();
    await heading(page, "About us").waitFor();
  },

  "lapsed: Back to a page that needs an account, then to the page before it": async ({
    page,
    context,
    base,
  }) => {
    await signedIn(context, base, await register(base, "two-steps-back"));
    await openAbout(page, base);
    await page.goto(`${base}/settings`);
    await heading(page, "Settings").waitFor();
    await page.evaluate(() => {
      window.isSameDocument = true;
    });
    await page.getByRole("link", { name: /^Privacy/ }).click();
    await heading(page, "Privacy").waitFor();
    assert.ok(await page.evaluate(() => window.isSameDocument));
    await context.clearCookies();
    await page.evaluate(() => localStorage.clear());
    await page.goBack();
    await page.getByLabel("Username or email").waitFor();
    await page.goBack();
    await heading(page, "About us").waitFor();
  },
};
