/** A group's screens, in a group where a good deal was said. */
import type { Browser, Page } from "@playwright/test";
import {
  answerTo,
  box,
  enter,
  enterAsCreator,
  groupMenu,
  line,
  log,
  messageMenu,
  more,
  picture,
  say,
  showMembers,
  showPictures,
} from "../support/group.ts";
import { button, dialog, ICON, item, mayUseClipboard, PICTURE, press, sees } from "../support/page.ts";
import { createGroup, type Group, register, signedIn } from "../support/people.ts";
import type { Screen } from "./screens.ts";

interface Talk {
  group: Group;
  seat: Awaited<ReturnType<ReturnType<Page["context"]>["cookies"]>>;
}

const talks = new Map<string, Promise<Talk>>();

/** One group a server: its creator looks, two others talk. */
async function talk(browser: Browser, base: string): Promise<Talk> {
  const group = await createGroup(await register(base), "midnight tacos & other plans");
  const contexts = await Promise.all([1, 2, 3].map(() => browser.newContext()));
  await signedIn(contexts[0], group.host);
  const [me, fox, owl] = await Promise.all(contexts.map((one) => one.newPage()));
  for (const page of [me, fox, owl]) await enter(page, group);
  await say(fox, "Who is still awake?", "I can’t be the only one");
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
  await answerTo(fox, "Tacos at two?");
  await say(fox, "In. Ten minutes.");
  await say(owl, "I shouldn’t have said that");
  await messageMenu(owl, "I shouldn’t have said that", "Unsend");
  await line(me, "Message removed").waitFor();
  await say(owl, "مرحبا، هل أنتم هناك؟");
  for (const words of ["مرحبا", "In. Ten minutes."]) await line(me, words).waitFor();
  // The seat goes along to other contexts; the account's cookies are worth nothing without their other shares.
  const seat = (await contexts[0].cookies()).filter(({ name }) => name.includes("seat"));
  await me.close();
  return { group, seat };
}

async function open(page: Page, base: string) {
  const browser = page.context().browser();
  if (!browser) throw new Error("no browser");
  if (!talks.has(base)) talks.set(base, talk(browser, base));
  const { group, seat } = (await talks.get(base)) as Talk;
  await page.context().addCookies(seat);
  // As a browser from before there were shares: one that has had some takes no other sign-in.
  await page.evaluate(() => localStorage.removeItem("annon.shares"));
  await enterAsCreator(page, group);
  await line(page, "In. Ten minutes.").waitFor();
  return group;
}

/** What to do in that group to see a screen. */
const screen = (act?: (page: Page, group: Group) => Promise<unknown>, complains: string[] = []): Screen => ({
  path: "/",
  overlay: true,
  complains,
  act: async (page, base) => {
    const group = await open(page, base);
    await act?.(page, group);
  },
});

export const CHAT_SCREENS: Record<string, Screen> = {
  "room-fresh": {
    path: "/",
    overlay: true,
    act: async (page, base) => enterAsCreator(page, await createGroup(await register(base), "the last row")),
  },
  room: screen(),
  "room-members": screen(showMembers),
  "room-menu": screen((page) => groupMenu(page)),
  "room-kick": screen(async (page) => {
    await showMembers(page);
    await button(page, /: more$/)
      .first()
      .click();
    await item(page, /^Remove /).click();
  }),
  "room-delete": screen((page) => groupMenu(page, "Delete group")),
  "room-code": screen((page) => groupMenu(page, "Invite by QR code")),
  "room-message-menu": screen((page) => messageMenu(page, "Bring lime.")),
  "room-reply": screen(async (page) => {
    await answerTo(page, "Tacos at two?");
    const rows = "It is a long way and I have no shoes.\nSecond row.\nThird row.\n";
    await box(page).fill(rows.padEnd(230, "and so on "));
  }),
  "room-mentions": screen(async (page) => {
    await box(page).pressSequentially("and @");
    await page.getByRole("option").first().waitFor();
  }),
  "room-emoji": screen(async (page) => {
    const emoji = page.getByRole("dialog", { name: "Emoji", exact: true });
    await button(page, "Add an emoji").click();
    await button(emoji.getByRole("group", { name: "Animals and plants" }), "🐢").click();
    await press(page, "Escape");
    await button(page, "Add an emoji").click();
    await emoji.getByRole("group", { name: "Recent" }).waitFor();
  }),
  "room-preview": screen(async (page) => {
    await page.setInputFiles("input[type=file]", [PICTURE, ICON]);
    await button(dialog(page), "Show picture 2").waitFor();
    await page.getByLabel("Caption").fill("their card");
  }),
  "room-viewer": screen((page) => picture(page).first().click()),
  "room-notices": screen(async (page) => {
    await mayUseClipboard(page);
    await groupMenu(page, "Copy invite link");
    // Pointed at, it stays, and so does the next one.
    await page.getByText("Group link copied").hover();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("not now"));
      document.execCommand = () => false;
    });
    await more(page).focus();
    await press(page, "Enter", "Enter");
    await sees(page, "Couldn’t copy");
  }),
  "room-failed": screen(
    async (page) => {
      const refusal = { status: 507, json: { status: 507, message: "" } };
      await page.route("**/upload-image", (route) => route.fulfill(refusal));
      await showPictures(page, [ICON], "the lime");
      await button(page, "Retry").last().waitFor();
      await log(page).evaluate((list) => list.scrollTo(0, 1e6));
    },
    ["507"],
  ),
  "room-offline": screen(
    async (page) => {
      await page.context().setOffline(true);
      await sees(page, "You’re offline.");
      await say(page, "Sent when the tunnel ends.");
    },
    ["DISCONNECTED", "fetching the script"],
  ),
  "room-near-end": screen(async (page, { base, id, url }) => {
    await page.clock.install();
    await page.goto(url);
    await line(page, "In. Ten minutes.").waitFor();
    const { data } = await (await fetch(`${base}/api/room/${id}`)).json();
    await page.clock.fastForward(data.expire_at * 1000 - Date.now() - 230_000);
    await sees(page, "This group deletes itself in less than");
    await log(page).evaluate((list) => list.scrollTo(0, 1e6));
  }),
};
