/** The screens of a group with many messages. */
import type { Browser } from "@playwright/test";
import { button, ICON, PICTURE } from "../support/page.ts";
import {
  answerKnock,
  createGroup,
  type Group,
  knockAt,
  type Person,
  register,
  signedIn,
} from "../support/people.ts";
import { type AppPage, expect, withSteps } from "../support/test.ts";
import type { Screen, Talk } from "./screen.ts";

/** Creates a group in which its creator and two other members talk. */
export async function startTalk(browser: Browser, base: string): Promise<Talk> {
  const group = await createGroup(await register(base), "midnight tacos & other plans");
  const contexts = await Promise.all([1, 2, 3].map(() => browser.newContext()));
  await signedIn(contexts[0], group.host);
  const [me, fox, owl] = await Promise.all(contexts.map(async (one) => withSteps(await one.newPage())));
  for (const page of [me, fox, owl]) await page.enter(group);
  await fox.say("Who is still awake?", "I can’t be the only one");
  await me.say("Me. Obviously.");
  await owl.say("🌮");
  await owl.say("Tacos at two? The place by the station is open, says https://tacos.example/open?night=1");
  await owl.showPictures([PICTURE], "their card");
  await fox.say("🌮🌶️🥑");
  await me.say("Bring lime.");
  await me.say(
    "And somebody has to bring the good hot sauce, the one that made the owl cry last time we tried it",
  );
  await fox.answerTo("Tacos at two?");
  await fox.say("In. Ten minutes.");
  await owl.say("I shouldn’t have said that");
  await owl.messageMenu("I shouldn’t have said that", "Unsend");
  await me.line("Message removed").waitFor();
  for (const [page, name] of [
    [fox, "heart"],
    [me, "heart"],
    [owl, "laugh"],
  ] as const) {
    await page.messageMenu("Bring lime.");
    await page.getByRole("menuitemcheckbox", { name }).click();
  }
  await me.line("Reactions: 2 hearts, 1 laugh").waitFor();
  await owl.say("مرحبا، هل أنتم هناك؟");
  for (const words of ["مرحبا", "In. Ten minutes."]) await me.line(words).waitFor();
  // Only the seat is copied to other contexts. The account's cookies are useless without the shares in local storage.
  const seat = (await contexts[0].cookies()).filter(({ name }) => name.includes("seat"));
  await me.close();
  return { group, seat };
}

/** Opens a dialog. Expects that its first field, or the button that only closes it, has the focus. */
export const opens =
  <Given>(
    open: (page: AppPage, given: Given) => Promise<unknown>,
    first: RegExp,
    act?: (page: AppPage) => Promise<unknown>,
  ) =>
  async (page: AppPage, given: Given) => {
    await open(page, given);
    await expect.poll(() => page.focused(), "what has the focus").toMatch(first);
    await act?.(page);
  };

/** A screen that appears after these steps in the group. */
const screen = (
  act?: (page: AppPage, group: Group) => Promise<unknown>,
  complains: string[] = [],
): Screen => ({
  path: "/",
  overlay: true,
  complains,
  act: async (page, { talk }) => {
    const { group, seat } = await talk();
    // The page that is left would notice the new cookies while it is still being taken over.
    await page.takenOver();
    await page.context().addCookies(seat);
    await page.enterAsCreator(group);
    await page.line("In. Ten minutes.").waitFor();
    await act?.(page, group);
  },
});

let asked: Promise<Person> | undefined;

/** A visitor at the door of a group that asks first. */
const door = (act: (page: AppPage, group: Group) => Promise<unknown>): Screen => ({
  path: "/",
  complains: ["403"],
  act: async (page, { base }) => {
    const group = await createGroup(await register(base), "midnight tacos & other plans", true);
    await page.goto(group.url);
    await page.button("Knock").waitFor();
    await act(page, group);
  },
});

/** What follows when a sealed group was made. `link` is the whole link. */
const sealed = (act: (page: AppPage, link: string) => Promise<unknown>, overlay?: true): Screen => ({
  path: "/",
  ...(overlay && { overlay }),
  act: async (page, { base }) => {
    asked ??= register(base);
    await signedIn(page.context(), await asked);
    await act(page, await page.makeSealed("the last row"));
  },
});

export const CHAT_SCREENS: Record<string, Screen> = {
  "sealed-made": sealed((page) => page.sees("Keep this link")),
  "sealed-keyless": sealed(async (page, link) => {
    await page.visit(link.split("#")[0] ?? "");
    await page.sees("This link is missing its key");
    await page.getByLabel("The whole link").fill("half a link");
    await page.button("Open the group").click();
    await page.sees("That isn’t the whole link");
  }),
  "sealed-about": sealed(async (page, link) => {
    await page.visit(link);
    await page.canTalk();
    await page.sends("who brings lime");
    await page.button("Sealed").click();
    await expect.poll(() => page.focused(), "what has the focus").toMatch(/^Close/);
  }, true),
  "room-fresh": {
    path: "/",
    overlay: true,
    act: async (page, { base }) =>
      page.enterAsCreator(await createGroup(await register(base), "the last row")),
  },
  room: screen(),
  "room-knocks": {
    path: "/",
    overlay: true,
    // The first call for a seat, without the token.
    complains: ["403"],
    act: async (page, { base }) => {
      // The page keeps for a while who is signed in: it has to be the same person in both themes.
      asked ??= register(base);
      const group = await createGroup(await asked, "the last row", true);
      await page.enterAsCreator(group);
      for (let waiting = 0; waiting < 2; waiting += 1) await knockAt(group);
      await expect(page.getByRole("list", { name: "At the door" }).getByRole("listitem")).toHaveCount(2);
    },
  },
  door: door(async () => {}),
  "door-waiting": door((page) =>
    page
      .button("Knock")
      .click()
      .then(() => page.sees(/^You’re \S+$/)),
  ),
  "door-declined": door(async (page, group) => {
    const asked = page.waitForResponse("**/knock");
    await page.button("Knock").click();
    const { knock } = await (await asked).json();
    await answerKnock(group, knock, false);
    await page.sees("You weren’t let in.");
  }),
  "room-members": screen((page) => page.showMembers()),
  "room-menu": screen((page) => page.moreMenu()),
  "room-reactions": screen(async (page) => {
    await page.messageMenu("Bring lime.");
    await page.getByRole("menuitem", { name: "More emoji" }).click();
    await page.getByRole("button", { name: "Food", exact: true }).waitFor();
  }),
  "room-kick": screen(
    opens(async (page) => {
      await page.showMembers();
      await page
        .button(/^More options for /)
        .first()
        .click();
      await page.item(/^Remove /).click();
    }, /^Cancel$/),
  ),
  "room-delete": screen(opens((page) => page.moreMenu("Delete group"), /^Cancel$/)),
  "room-new-link": screen(opens((page) => page.moreMenu("New link"), /^Cancel$/)),
  "room-code": screen(opens((page) => page.moreMenu("Invite by QR code"), /^Close/)),
  "room-message-menu": screen((page) => page.messageMenu("Bring lime.")),
  "room-report": screen(
    opens(
      (page) => page.messageMenu("In. Ten minutes.", "Report"),
      /^What’s wrong/,
      async (page) => {
        await button(page.dialog, "Report messages").waitFor();
      },
    ),
  ),
  "room-reply": screen(async (page) => {
    await page.answerTo("Tacos at two?");
    const rows = "It is a long way and I have no shoes.\nSecond row.\nThird row.\n";
    await page.box.fill(rows.padEnd(230, "and so on "));
  }),
  "room-mentions": screen(async (page) => {
    await page.box.pressSequentially("and @");
    await page.getByRole("option").first().waitFor();
  }),
  "room-emoji": screen(async (page) => {
    const emoji = page.getByRole("dialog", { name: "Emoji", exact: true });
    await page.button("Add an emoji").click();
    await button(emoji.getByRole("group", { name: "Animals and plants" }), "🐢").click();
    await page.keys("Escape");
    await page.button("Add an emoji").click();
    await emoji.getByRole("group", { name: "Recent" }).waitFor();
  }),
  "room-emoji-search": screen(async (page) => {
    await page.button("Add an emoji").click();
    await page.getByRole("searchbox").fill("love");
  }),
  "room-preview": screen(
    opens(
      (page) => page.setInputFiles("input[type=file]", [PICTURE, ICON]),
      /^Caption$/,
      async (page) => {
        await button(page.dialog, "Show photo 2").waitFor();
        await page.getByLabel("Caption").fill("their card");
      },
    ),
  ),
  "room-viewer": screen(opens((page) => page.picture().first().click(), /^Close/)),
  "room-notices": screen(async (page) => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("not now"));
      document.execCommand = () => false;
    });
    await page.moreMenu("Copy invite link");
    // The notice stays as long as the mouse points at it.
    await page.getByText("Couldn’t copy").hover();
  }),
  "room-failed": screen(
    async (page) => {
      await page.answers("**/upload-image?*", 507);
      await page.showPictures([ICON], "the lime");
      await page.button("Retry").last().waitFor();
      await page.log.evaluate((list) => list.scrollTo(0, 1e6));
    },
    ["507"],
  ),
  "room-offline": screen(
    async (page) => {
      await page.context().setOffline(true);
      await page.sees("You’re offline.");
      await page.say("Sent when the tunnel ends.");
    },
    ["DISCONNECTED", "fetching the script"],
  ),
  "room-near-end": screen(async (page, { base, id, url }) => {
    await page.clock.install();
    await page.goto(url);
    await page.line("In. Ten minutes.").waitFor();
    const { data } = await (await fetch(`${base}/api/room/${id}`)).json();
    await page.clock.fastForward(data.expire_at * 1000 - Date.now() - 230_000);
    await page.sees(/deletes itself in \d:/);
    await page.log.evaluate((list) => list.scrollTo(0, 1e6));
  }),
};
