/** How one comes to be outside a group, and what the device keeps of it then. */

import type { WebSocketRoute } from "@playwright/test";
import { enter, groupMenu, keysOf, leave, log } from "../support/group.ts";
import { button, dialog, heading, overlays, sees } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

const EXPIRED = "Sorry, It Looks Like This Group Has Expired";

test("the eleventh visitor finds the group full", async ({ page, group, join, seats }) => {
  await seats(group, 9);
  await join(group);
  await page.goto(group.url);
  await page.waitForURL("**/roomfull");
  await sees(page, "Sorry, It Looks Like This Group Is Full Already");
});

test("of a group that isn't there nothing is kept", async ({ page, group }) => {
  const gone = { ...group, id: "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11" };
  await page.goto("/");
  await page.evaluate((room) => localStorage.setItem(room, "🦊"), gone.id);
  await page.goto(`/room/${gone.id}`);
  await page.waitForURL("**/expired");
  await sees(page, EXPIRED);
  expect(await keysOf(page, gone)).toEqual([]);
});

test("leaving gives the seat back, and the tab forgets the group's name", async ({
  page,
  newGroup,
  join,
}) => {
  const group = await newGroup("secret society");
  await enter(page, group);
  const other = await join(group);
  await leave(other);
  await expect(heading(other, "You left the group")).toBeVisible();
  await expect(other).toHaveTitle("You left the group · Annon");
  await other.reload();
  await sees(other, "You left the group");
  expect(await keysOf(other, group)).not.toContain(group.id);
  await sees(log(page), /left$/);
  await expect(button(page, /^1 of 1 here now/)).toHaveCount(1);
});

test("a group whose time is up", async ({ page, group }) => {
  await page.clock.install();
  await enter(page, group);
  // All of it is left when somebody enters within the second.
  await sees(page, /^(24h 0m|23h 5\dm) left$/);
  await page.clock.fastForward("23:55:00");
  await sees(page, "This group deletes itself in less than 5 minutes, with everything that was said.");
  await sees(page, /^4:\d\d left$/);
  await page.clock.fastForward("05:10");
  await page.waitForURL("**/expired");
  expect(await keysOf(page, group)).not.toContain(group.id);
});

test("who is led out of a group with something open is one Back away from where they came", async ({
  page,
  context,
  group,
}) => {
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/socket$/, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  await page.goto("/about");
  await expect(heading(page, "About us")).toBeVisible();
  await enter(page, group);
  await groupMenu(page, "Invite by QR code");
  await expect(dialog(page)).toBeVisible();
  await overlays(page, 1);
  // The browser has lost its seat and its connection, and there is no group to take another seat in.
  await page.route("**/api/room/*/seat", (route) =>
    route.fulfill({ status: 404, json: { status: 404, code: "not_found", message: "" } }),
  );
  await context.clearCookies();
  for (const socket of sockets) await socket.close({ code: 4000 });
  await expect(heading(page, EXPIRED)).toBeVisible();
  await overlays(page, 0);
  await page.goBack();
  await expect(heading(page, "About us")).toBeVisible();
});
