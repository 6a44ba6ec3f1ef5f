/** Browsers that keep no cookies, as in many apps' own windows: the page carries the seat itself. */
import assert from "node:assert/strict";
import { withoutCookies } from "./browser.mjs";
import { exact } from "./exact.mjs";
import { PASSWORD, register } from "./people.mjs";
import {
  enter,
  ICON,
  line,
  newRoom,
  overlaysGone,
  PICTURE,
  said,
  say,
  showPictures,
  until,
  withPeople,
} from "./rooms.mjs";

/** The emoji one is. */
const me = (page) => page.locator("form [data-tone]").first().textContent();
const sent = (page, words) => line(page, words).getByTitle("Sent", { exact: true });

/** Whether the newest picture on the screen is there to be seen. */
const isShown = (page) =>
  page.evaluate(() => {
    const [picture] = [...document.querySelectorAll("[role=log] article img[data-loaded]")].slice(-1);
    return picture !== undefined && picture.naturalWidth > 0;
  });

async function leave(page) {
  await page.getByRole("button", exact("More")).first().click();
  await page.getByRole("menuitem", exact("Leave group")).click();
  await page.getByRole("alertdialog").getByRole("button", exact("Leave")).click();
  await page.getByText("You left the group").waitFor();
}

export const noCookies = {
  "without cookies: talk both ways, with pictures, as the same one after each reload": async ({
    browser,
    base,
  }) => {
    const { url } = await newRoom(base);
    await withoutCookies(async (page) => {
      await page.goto(`${base}/terms`);
      await page.evaluate(() => {
        // biome-ignore lint/suspicious/noDocumentCookie: it is what the app does, and is to come to nothing
        document.cookie = "any=1";
        if (document.cookie !== "") throw new Error("this browser keeps cookies");
      });
      await enter(page, url);
      await page.getByText(/Your seat lives in this page only/).waitFor();
      const face = await me(page);
      await withPeople(browser, url, 1, async (other) => {
        await say(page, "from no cookies");
        await line(other, "from no cookies").waitFor();
        await say(other, "to no cookies");
        await line(page, "to no cookies").waitFor();
        await showPictures(page, [ICON], "mine");
        await sent(page, "mine").waitFor();
        await until("the other sees the picture", () => isShown(other));
        await showPictures(other, [PICTURE], "theirs");
        await line(page, "theirs").waitFor();
        await until("the picture is seen", () => isShown(page));
        await line(page, "theirs").locator("button:has(img)").first().click();
        const link = page.getByRole("dialog").getByRole("link", exact("Download"));
        await until("what is saved is what is shown", async () =>
          (await link.getAttribute("href")).startsWith("blob:"),
        );
        await page.keyboard.press("Escape");
        await overlaysGone(page);

        for (let time = 0; time < 9; time += 1) {
          await page.reload();
          await enter(page, url);
        }
        assert.equal(await me(page), face);
        await say(page, "still me");
        await line(other, "still me").waitFor();
        await other.getByRole("button", { name: /^2 of 2 / }).waitFor();
        await leave(page);
        await other.getByText(`${face} left`).waitFor();
      });
    });
  },

  "without cookies: what that means is said in a line, which hands the link on and can be put away": async ({
    base,
  }) => {
    const { url } = await newRoom(base);
    await withoutCookies(async (page) => {
      await enter(page, url);
      const words = page.getByText(/Your seat lives in this page only/);
      await words.waitFor();
      await page.getByRole("button", exact("Copy the link for another browser")).click();
      await page.getByText("Group link copied to clipboard").waitFor();
      await page.getByRole("button", exact("Got it")).click();
      await words.waitFor({ state: "detached" });
    });
  },

  "without cookies: signing in says what it needs, and no password goes out": async ({ base }) => {
    const { username } = await register(base, "no-cookies-here");
    await withoutCookies(async (page) => {
      const asked = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${base}/login`);
      const needs = page.getByText(/needs cookies/);
      await needs.waitFor();
      await page.getByLabel("Username or email").fill(username);
      await page.getByRole("textbox", exact("Password")).fill(PASSWORD);
      await page.getByRole("button", exact("Sign in")).click();
      await needs.waitFor();
      assert(!asked.includes("/api/login"));
    });
  },

  "a browser that takes a page's cookies and drops the server's: the page carries the seat": async ({
    context,
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await context.route("**/api/room/*/seat", async (route) => {
      const response = await route.fetch();
      await context.clearCookies({ name: "annon_seat" });
      const { "set-cookie": _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await enter(page, url);
    await page.getByText(/Your seat lives in this page only/).waitFor();
    await say(page, "let in after all");
    await sent(page, "let in after all").waitFor();
    const face = await me(page);
    await page.reload();
    await enter(page, url);
    assert.equal(await me(page), face);
    assert.deepEqual(await said(page), ["let in after all"]);
  },

  "with cookies nothing of a seat is to be read by a script, and no line is shown": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    const sent = [];
    page.on("request", (request) => sent.push(request.headers()["annon-seat"]));
    await enter(page, url);
    assert.deepEqual(sent.filter(Boolean), []);
    assert.equal(await page.getByText(/Your seat lives in this page only/).count(), 0);
    const kept = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...sessionStorage }, history.state]),
    );
    assert(!kept.includes("annon-seat"), kept);
  },
};
