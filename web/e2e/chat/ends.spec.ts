/** How the visit to a group ends, and what the device keeps of the group then. */
import type { WebSocketRoute } from "@playwright/test";
import { expect, test } from "../support/test.ts";

test("a group whose time is up", async ({ page, group }) => {
  await page.clock.install();
  await page.enter(group);
  // A member who enters within the first second sees the whole 24 hours.
  await page.sees(/^(24h 0m|23h 5\dm) left$/);
  await page.clock.fastForward("23:55:00");
  await page.sees("This group deletes itself in less than 5 minutes, with everything that was said.");
  await page.sees(/^4:\d\d left$/);
  await page.clock.fastForward("03:50");
  await page.sees(/^This group deletes itself in 1:0\d, with everything that was said\.$/);
  await expect(page.getByText("less than 2 minutes"), "what is read out").toHaveCount(1);
  await expect(page.getByText("5 minutes")).toHaveCount(0);
  await page.clock.fastForward("01:20");
  await page.waitForURL("**/expired");
  expect(await page.keysOf(group)).not.toContain(group.id);
});

test("a member whose seat was given away gets another one, or has to leave", async ({ page, group }) => {
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/socket$/, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  async function loseSeat() {
    await page.context().clearCookies();
    for (const socket of sockets.splice(0)) await socket.close({ code: 4000 });
  }
  await page.goto("/about");
  await expect(page.heading("About us")).toBeVisible();
  await page.enter(group);
  const emoji = (await page.myEmoji.textContent()) ?? "";
  await page.box.fill("half a sentence");
  await loseSeat();
  await expect(page.myEmoji).not.toHaveText(emoji);
  await expect(page.box).toHaveValue("half a sentence");
  await page.sends("here again");
  expect(await page.evaluate((room) => localStorage.getItem(room), group.id)).not.toBe(emoji);

  // A member who is led out while a dialog is open gets back to the page before the group with a single Back.
  await page.moreMenu("Invite by QR code");
  await page.overlays(1);
  await page.answers("**/api/room/*/seat", 403, { code: "group_full", message: "" });
  await loseSeat();
  await page.waitForURL("**/roomfull");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.overlays(0);
  await page.goBack();
  await expect(page.heading("About us")).toBeVisible();
});
