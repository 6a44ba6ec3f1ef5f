/** How one comes to be outside a group, and what the device keeps of it then. */

import type { WebSocketRoute } from "@playwright/test";
import { sees } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const EXPIRED = "Sorry, It Looks Like This Group Has Expired";

test("leaving gives the seat back, and the tab forgets the name", async ({ page, newGroup, join }) => {
  const group = await newGroup("secret society");
  await page.enter(group);
  const other = await join(group);
  await other.leave();
  await expect(other.heading("You left the group")).toBeVisible();
  await expect(other).toHaveTitle("You left the group · Annon");
  await other.reload();
  await other.sees("You left the group");
  expect(await other.keysOf(group)).not.toContain(group.id);
  await sees(page.log, /left$/);
  await expect(page.button(/^1 of 1 here now/)).toHaveCount(1);
});

test("a group whose time is up", async ({ page, group }) => {
  await page.clock.install();
  await page.enter(group);
  // All of it is left when somebody enters within the second.
  await page.sees(/^(24h 0m|23h 5\dm) left$/);
  await page.clock.fastForward("23:55:00");
  await page.sees("This group deletes itself in less than 5 minutes, with everything that was said.");
  await page.sees(/^4:\d\d left$/);
  await page.clock.fastForward("05:10");
  await page.waitForURL("**/expired");
  expect(await page.keysOf(group)).not.toContain(group.id);
});

/** The seat's call is answered so; what is given takes the browser's connection, and with it its seat. */
async function canLoseSeat(page: AppPage) {
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/socket$/, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  return async (next?: { status: number; code: string }) => {
    const answer = next && { status: next.status, json: { ...next, message: "" } };
    if (answer) await page.route("**/api/room/*/seat", (route) => route.fulfill(answer));
    await page.context().clearCookies();
    for (const socket of sockets.splice(0)) await socket.close({ code: 4000 });
  };
}

test("whose seat was free after a long sleep takes another, if there is one", async ({ page, group }) => {
  const loseSeat = await canLoseSeat(page);
  await page.enter(group);
  const emoji = (await page.myEmoji.textContent()) ?? "";
  await loseSeat();
  await expect(page.myEmoji).not.toHaveText(emoji);
  await page.sends("here again");
  expect(await page.evaluate((room) => localStorage.getItem(room), group.id)).not.toBe(emoji);
  await loseSeat({ status: 403, code: "group_full" });
  await page.waitForURL("**/roomfull");
});

test("who is led out with something open is one Back from where they came", async ({ page, group }) => {
  const loseSeat = await canLoseSeat(page);
  await page.goto("/about");
  await expect(page.heading("About us")).toBeVisible();
  await page.enter(group);
  await page.moreMenu("Invite by QR code");
  await page.overlays(1);
  await loseSeat({ status: 404, code: "not_found" });
  await expect(page.heading(EXPIRED)).toBeVisible();
  await page.overlays(0);
  await page.goBack();
  await expect(page.heading("About us")).toBeVisible();
});
