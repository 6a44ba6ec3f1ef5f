/** A group's screens, in a group where a good deal was said. */
import { exact } from "./exact.mjs";
import { signedIn } from "./people.mjs";
import { box, enter, ICON, line, log, newRoom, PICTURE, say, showMembers, showPictures } from "./rooms.mjs";

const groups = new Map();

/** One group a server: its creator looks, two others talk. */
function group(browser, base) {
  if (!groups.has(base)) groups.set(base, talk(browser, base));
  return groups.get(base);
}

async function talk(browser, base) {
  const { host, url } = await newRoom(base, "midnight tacos & other plans");
  const context = () =>
    browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce", locale: "en-GB" });
  const contexts = [await context(), await context(), await context()];
  await signedIn(contexts[0], base, host);
  const [me, fox, owl] = await Promise.all(contexts.map((one) => one.newPage()));
  for (const page of [me, fox, owl]) await enter(page, url);
  await say(fox, "Who is still awake?");
  await say(fox, "I can’t be the only one");
  await say(me, "Me. Obviously.");
  await say(owl, "🌮");
  await say(owl, "Tacos at two? The place by the station is open, says https://tacos.example/open?night=1");
  await showPictures(owl, [PICTURE], "their card");
  await say(fox, "🌮🌶️🥑");
  await say(me, "Bring lime.");
  await say(
    me,
    "And somebody has to bring the good hot sauce, the one that made the owl cry last time we tried it",
  );
  await line(fox, "Tacos at two?")
    .first()
    .click({ button: "right", position: { x: 80, y: 12 } });
  await fox.getByRole("menuitem", exact("Reply")).click();
  await say(fox, "In. Ten minutes.");
  await say(owl, "I shouldn’t have said that");
  await line(owl, "I shouldn’t have said that").click({ button: "right", position: { x: 60, y: 12 } });
  await owl.getByRole("menuitem", exact("Unsend")).click();
  await line(me, "Message removed").waitFor();
  await say(owl, "مرحبا، هل أنتم هناك؟");
  await line(me, "مرحبا").waitFor();
  await line(me, "In. Ten minutes.").waitFor();
  // The seat goes along to other contexts; the account's cookies are worth nothing without their other shares.
  const seat = (await contexts[0].cookies()).filter(({ name }) => name.includes("seat"));
  await me.close();
  return { url, host, seat };
}

async function open(page, base) {
  const { url, host, seat } = await group(page.context().browser(), base);
  await page.context().addCookies(seat);
  // As a browser from before there were shares: one that has had some takes no other sign-in.
  if (page.url().startsWith(base)) await page.evaluate(() => localStorage.removeItem("annon.shares"));
  await signedIn(page.context(), base, host);
  await enter(page, url);
  await line(page, "In. Ten minutes.").waitFor();
  await page.waitForTimeout(300);
  return url;
}

const screen = (name, act, more = {}) => ({
  name,
  path: "/",
  overlay: true,
  ...more,
  act: async (page, base) => {
    await open(page, base);
    await act?.(page, base);
    await page.waitForTimeout(350);
  },
});

export const CHAT_SCREENS = [
  {
    name: "room-fresh",
    path: "/",
    overlay: true,
    act: async (page, base) => {
      const { host, url } = await newRoom(base, "the last row");
      await signedIn(page.context(), base, host);
      await enter(page, url);
    },
  },
  screen("room"),
  screen("room-members", showMembers),
  screen("room-menu", (page) => page.getByRole("button", exact("More")).first().click()),
  screen("room-kick", async (page) => {
    await showMembers(page);
    await page
      .getByRole("button", { name: /: more$/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: /^Remove / }).click();
  }),
  screen("room-delete", async (page) => {
    await page.getByRole("button", exact("More")).first().click();
    await page.getByRole("menuitem", exact("Delete group")).click();
    await page.getByRole("alertdialog").waitFor();
  }),
  screen("room-code", async (page) => {
    await page.getByRole("button", exact("More")).first().click();
    await page.getByRole("menuitem", exact("Invite by QR code")).click();
    await page.getByRole("dialog").waitFor();
  }),
  screen("room-message-menu", (page) =>
    line(page, "Bring lime.").click({ button: "right", position: { x: 200, y: 12 } }),
  ),
  screen("room-reply", async (page) => {
    await line(page, "Tacos at two?")
      .first()
      .click({ button: "right", position: { x: 80, y: 12 } });
    await page.getByRole("menuitem", exact("Reply")).click();
    await box(page).fill(
      "It is a long way and I have no shoes.\nSecond row.\nThird row.\n".padEnd(230, "and so on "),
    );
  }),
  screen("room-mentions", async (page) => {
    await box(page).pressSequentially("and @");
    await page.getByRole("listbox").getByRole("option").first().waitFor();
  }),
  screen("room-emoji", async (page) => {
    await page.getByRole("button", exact("Add an emoji")).click();
    const emoji = page.getByRole("dialog", exact("Emoji"));
    await emoji.getByRole("group", exact("Animals and plants")).getByRole("button", exact("🐢")).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", exact("Add an emoji")).click();
    await emoji.getByRole("group", exact("Recent")).waitFor();
  }),
  screen("room-preview", async (page) => {
    await page.setInputFiles("input[type=file]", [PICTURE, ICON]);
    await page.getByRole("dialog").getByRole("button", exact("Show picture 2")).waitFor();
    await page.getByLabel("Caption").fill("their card");
  }),
  screen("room-viewer", (page) =>
    page
      .getByRole("button", { name: /^Picture by / })
      .first()
      .click(),
  ),
  screen("room-notices", async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const more = page.getByRole("button", exact("More")).first();
    await more.click();
    await page.getByRole("menuitem", exact("Copy invite link")).click();
    // Pointed at, it stays, and so does the next one.
    await page.getByText("Group link copied").hover();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("not now"));
      document.execCommand = () => false;
    });
    await more.focus();
    for (const key of ["Enter", "Enter"]) await page.keyboard.press(key);
    await page.getByText("Couldn’t copy").waitFor();
  }),
  screen(
    "room-failed",
    async (page) => {
      await page.route("**/upload-image", (route) =>
        route.fulfill({ status: 507, json: { status: 507, message: "" } }),
      );
      await showPictures(page, [ICON], "the lime");
      await page.getByRole("button", exact("Retry")).waitFor();
      await page.getByText("Failed to send image").first().waitFor({ state: "detached" });
      await page.evaluate(() => document.querySelector("[role=log]").scrollTo(0, 1e6));
    },
    { complains: ["507"] },
  ),
  screen(
    "room-offline",
    async (page) => {
      await page.context().setOffline(true);
      await page.getByText("You’re offline.").waitFor();
      await say(page, "Sent when the tunnel ends.");
    },
    { complains: ["DISCONNECTED", "fetching the script"] },
  ),
  screen("room-near-end", async (page, base) => {
    await page.clock.install();
    const url = await open(page, base);
    const { data } = await (await fetch(url.replace("/room/", "/api/room/"))).json();
    await page.clock.fastForward(data.expire_at * 1000 - Date.now() - 230_000);
    await page.getByText("This group deletes itself in less than").waitFor();
    await log(page).evaluate((list) => list.scrollTo(0, 1e6));
  }),
];
