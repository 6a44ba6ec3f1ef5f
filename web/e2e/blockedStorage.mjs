/** A browser that blocks site data: even a look at a storage throws. Nothing is kept then, and everything works. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { PASSWORD, register } from "./people.mjs";
import { enter, ICON, line, newRoom, say, showPictures } from "./rooms.mjs";

function block() {
  const refused = () => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  };
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get: refused });
  IDBFactory.prototype.open = refused;
}

export const blockedStorage = {
  "with site data blocked: the first page, and its theme": async ({ page, base }) => {
    await page.addInitScript(block);
    await page.goto(base);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goto(`${base}/getstarted`);
    await page.getByRole("button", exact("Switch to dark mode")).click();
    await page.getByRole("button", exact("Switch to light mode")).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  },

  "with site data blocked: a note is sent": async ({ page, base }) => {
    const { username } = await register(base, "keeps-nothing");
    await page.addInitScript(block);
    await page.goto(`${base}/${username}`);
    await page.getByLabel("Your anonymous message").fill("This browser keeps nothing.");
    await page.getByRole("button", exact("Send it")).click();
    await page.getByRole("heading", exact(`Anonymous Message Sent to ${username}`)).waitFor();
  },

  "with site data blocked: sign in, and look around": async ({ page, base }) => {
    const { username } = await register(base, "blocks-all");
    await page.addInitScript(block);
    await page.goto(`${base}/login`);
    await page.getByLabel("Username or email").fill(username);
    await page.getByRole("textbox", exact("Password")).fill(PASSWORD);
    await page.getByRole("button", exact("Sign in")).click();
    await page.getByRole("heading", exact(`Hello, ${username}`)).waitFor();
    await page.getByRole("tab", exact("Groups")).click();
    await page.getByText("Sorry, no available rooms at the moment.").waitFor();
  },

  "with site data blocked: words and a picture in a group, and out of it": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await page.addInitScript(block);
    await enter(page, url);
    await say(page, "nothing stays here");
    await line(page, "nothing stays here").getByTitle("Sent", { exact: true }).waitFor();
    await showPictures(page, [ICON], "not this either");
    await line(page, "not this either").getByTitle("Sent", { exact: true }).waitFor();
    await page.getByRole("button", exact("More")).first().click();
    await page.getByRole("menuitem", exact("Leave group")).click();
    await page.getByRole("alertdialog").getByRole("button", exact("Leave")).click();
    await page.getByText("You left the group").waitFor();
  },
};
