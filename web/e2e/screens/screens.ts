/** Every screen that is photographed and checked by axe: its path, who is signed in, and the steps that lead to it. */
import { button, PICTURE } from "../support/page.ts";
import { createGroup, knockAt, register, sendNotes, signedIn } from "../support/people.ts";
import { type AppPage, test as base } from "../support/test.ts";
import { ANSWER_SCREENS } from "./answerScreens.ts";
import { CHAT_SCREENS, opens, startTalk } from "./chatScreens.ts";
import { CONVERSATION_SCREENS } from "./conversationScreens.ts";
import type { Cast, Screen, Talk } from "./screen.ts";
import { SEAL_SCREENS } from "./sealScreens.ts";
import { SHIELD_SCREENS } from "./shieldScreens.ts";

const NOTES = [
  "You once explained recursion to me by explaining recursion to me. I still laugh about it.",
  "🦊 🐙 🌵 👻 🦉 🍄 🐝 🐳 🪩 🐸",
  "Your talk on Friday was the first one this year I didn’t leave early. The slides are at https://slides.example/friday?v=2, right?",
  "I never told you, but the day you sat with me at lunch was the day I decided to stay. You had no idea, and that is what made it matter. Please keep sitting next to people who sit alone. It costs you twenty minutes and it is worth a year to somebody. Thank you, from one of those 💛",
  "Who are you when nobody looks?",
];

/** A test with the people whom the screens need. */
export const test = base.extend<object, { cast: Cast }>({
  cast: [
    async ({ browser, server: { base } }, use) => {
      const [person, newcomer] = [await register(base, "wildfox"), await register(base, "newcomer")];
      await sendNotes(person, ...NOTES);
      for (const name of ["midnight tacos", "the last row"]) await createGroup(person, name);
      let talked: Promise<Talk> | undefined;
      const talk = () => {
        talked ??= startTalk(browser, base);
        return talked;
      };
      await use({ base, person, newcomer, talk });
    },
    { scope: "worker" },
  ],
});

export async function show(page: AppPage, { path, as, prepare, act }: Screen, cast: Cast) {
  if (as) await signedIn(page.context(), cast[as]);
  await prepare?.(page, cast);
  // To go to the same address again would be a reload, and that would keep the page's state.
  await page.goto("about:blank");
  await page.goto(cast.base + path);
  await page.locator("h1").first().waitFor();
  await act?.(page, cast);
}

const OPEN = { began: "2026-11-30", used: "2026-11-30", open: true, current: false, unknown: false };
const SIGN_INS = [
  { ...OPEN, id: "own", browser: "Firefox", system: "Linux", current: true },
  { ...OPEN, id: "phone", browser: "Samsung Internet", system: "Android", unknown: true },
  { ...OPEN, id: "app", browser: null, system: null, used: "2026-12-01" },
];

const click =
  (name: string | RegExp, at = 0) =>
  (page: AppPage) =>
    page.button(name).nth(at).click();
const seen = (words: string) => (page: AppPage) => page.sees(words);

/** With two groups that this device has joined. */
const joined: Partial<Screen> = {
  prepare: async (page, { base }) => {
    for (const name of ["midnight tacos & other plans", "Council of Owls"])
      await page.enter(await createGroup(await register(base), name));
  },
  act: seen("Groups you’ve joined"),
};

/** A form that has been filled in and sent, and the words that it shows then. */
const form = (path: string, fields: Record<string, string>, words: string, more = {}): Screen => ({
  path,
  ...more,
  act: async (page) => {
    for (const [name, value] of Object.entries(fields))
      await page.getByRole("textbox", { name, exact: true }).fill(value);
    await page.locator("[type=submit]").first().click();
    await page.sees(words);
  },
});
const NOTE = "Your anonymous note";

async function nameGroup(page: AppPage) {
  await page.getByLabel("Group name").fill("Council of Owls");
  await page.radio("2 hours").check();
}

/** Creates a group, but the test answers the call: the server has no new group. */
const createAnswered = (status: number, json: object) => async (page: AppPage) => {
  await page.answers("**/api/room/create", status, json);
  await nameGroup(page);
  await page.button("Create Group").click();
};

/** The test answers the question whose account a mailed link is for, because no mail is sent. */
const confirmAnswered = (status: number, json: object) => (page: AppPage) =>
  page.answers("**/api/confirm-email/account", status, json);

const inBatches = (page: AppPage) =>
  page.answers("**/api/inbox", 200, {
    batches: true,
    paused: false,
    shield: "auto",
    held_words: [],
  });

const own =
  (path: string) =>
  (more: Partial<Screen> = {}): Screen => ({ path, as: "person", ...more });
const [home, settings, newGroup] = ["/homepage", "/settings", "/room/new"].map(own);
const [inbox, groups] = ["inbox", "groups"].map((tab) => own(`/homepage?tab=${tab}`));
const loading = (list: typeof home, calls: string) =>
  list({
    prepare: (page) => page.route(calls, () => {}),
    act: (page) => page.getByRole("list", { name: /^Loading your / }).waitFor(),
  });
const offline = (list: typeof home, calls: string) =>
  list({
    prepare: (page) => page.route(calls, (route) => route.abort("internetdisconnected")),
    complains: ["ERR_"],
    act: (page) => page.button("Try again").waitFor(),
  });
const over = (...dialog: Parameters<typeof opens<Cast>>) =>
  ({ overlay: true, act: opens(...dialog) }) as const;
/** The buttons that only close a question, and another dialog. */
const [CANCEL, CLOSE] = [/^Cancel$/, /^Close/];

/** Pages that have only one screen, by their names. */
const PLAIN = [
  "about",
  "blog",
  "error",
  "expired",
  "feedback",
  "getstarted",
  "login",
  "privacy",
  "report",
  "reset",
];

export const SCREENS: Record<string, Screen> = {
  ...Object.fromEntries(
    [...PLAIN, "roomfull", "signup", "terms"].map((name) => [name, { path: `/${name}` }]),
  ),
  verify: {
    path: "/verify",
    act: async (page) => {
      await page.button("Check").click();
      await page.sees(/files are as this site says/);
      await page.getByLabel("Paste the number").fill("another number");
      await page.sees("That’s another number");
    },
  },
  "mails-end": { path: "/mails/not-a-token" },
  landing: { path: "/" },
  "landing-joined": { path: "/", ...joined },
  unexpected: { path: "/no/such/page", complains: ["404"] },
  "login-errors": form(
    "/login",
    { "Username or email": "nobody-here", Password: "not the one" },
    "Wrong username, email or password.",
    { complains: ["401"] },
  ),
  "signup-errors": form("/signup", { Username: "me too" }, "Invalid Email Address"),
  "signup-refused": form(
    "/signup",
    { Username: "wildfox", Email: "wild@fox.example", Password: "12345678" },
    "Many people use this password",
    {
      prepare: (page: AppPage) => page.answers("**/api/register", 422, { code: "password_too_common" }),
      complains: ["422"],
    },
  ),
  "reset-sent": form("/reset", { Email: "nobody@mail.example" }, "If there’s an account"),
  "reset-confirm": { path: "/reset/not-a-token" },
  confirm: {
    path: "/confirm/not-a-token",
    prepare: confirmAnswered(200, { username: "wildfox" }),
    act: seen("Is this account yours?"),
  },
  "confirm-dead": {
    path: "/confirm/not-a-token",
    complains: ["400"],
    prepare: confirmAnswered(400, { code: "link_used" }),
    act: seen("This link has already been used"),
  },
  "feedback-picture": {
    path: "/feedback",
    act: async (page) => {
      const words = "The stickers are lovely. The gear could be larger on my phone.";
      await page.getByLabel("Your feedback").fill(words);
      await page.setInputFiles("input[type=file]", PICTURE);
      await page.getByAltText("The photo you chose").waitFor();
    },
  },
  "report-wrong": form(
    "/report",
    { "Page or link": "https://elsewhere.example/some-body", "What’s wrong?": "Too short" },
    "That isn’t an address of a page here",
  ),
  note: { path: "/wildfox" },
  "note-not-available": {
    path: "/wildfox",
    complains: ["403"],
    prepare: (page) => page.answers("**/api/annon/*", 403, { code: "page_not_available" }),
    act: seen("This page isn’t available right now."),
  },
  "note-short": form("/wildfox", { [NOTE]: "Hi there" }, "Please Lengthen your message"),
  "note-sent": form(
    "/newcomer",
    { [NOTE]: "Nobody will ever know that it was me." },
    "Anonymous Message Sent to newcomer",
    { prepare: (page: AppPage) => page.answers("**/api/annon-message", 201) },
  ),
  own: {
    path: "/wildfox",
    as: "person",
    // The home asks the server who is signed in.
    prepare: async (page, { base }) => {
      await page.goto(`${base}/homepage`);
      await page.heading("Hello, wildfox").waitFor();
    },
    act: seen("This page is yours"),
  },
  nobody: { path: "/nobody-of-that-name", complains: ["404"], act: seen("Oops") },
  "getstarted-groups": { path: "/getstarted", act: (page) => page.tab("Groups").click() },
  settings: settings(),
  "settings-password": settings(
    over(click(/^Change Password/), /^Current password$/, async (page) => {
      await page.password("Current password").fill("correct horse");
      await page.password("New password").fill("battery");
      await button(page.dialog, "Change Password").click();
      await page.sees("Password do not match");
    }),
  ),
  "settings-reset": settings(
    over(async (page) => {
      await page.getByText("Advanced").click();
      await page.button(/^Reset your link/).click();
    }, CANCEL),
  ),
  "settings-delete": settings(over(click(/^Delete Account/), /^Your password$/i)),
  "settings-logout": settings(over(click(/^Log Out/), CANCEL)),
  "settings-sign-ins": settings({
    ...over(click(/^Where you’re signed in/), CLOSE, seen("Samsung Internet on Android")),
    prepare: (page) => page.answers("**/api/sessions", 200, { data: SIGN_INS }),
  }),
  "settings-away": settings({
    ...over(click(/^While this page is closed/), CLOSE, seen("Stop telling the others")),
    prepare: async (page) => {
      await page.context().grantPermissions(["notifications"]);
      await page.answers("**/api/push", 200, {
        data: {
          key: "BA",
          subscriptions: [{ id: "phone", kinds: ["note"], quiet: null, added: "2026-11-30" }],
        },
      });
    },
  }),
  "settings-batches": settings({
    prepare: inBatches,
    act: (page) => page.locator('[role="switch"][aria-checked="true"]').waitFor(),
  }),
  home: home(),
  "home-unknown-sign-in": home({
    prepare: async (page) => {
      const user = { username: "wildfox", email: "wildfox@mail.example", unknown_sign_ins: 1 };
      await page.answers("**/api/dashboard", 200, { user });
      await page.answers("**/api/sessions", 200, { data: SIGN_INS });
    },
    act: seen("Was that you?"),
  }),
  "home-suspended": home({
    prepare: (page) =>
      page.answers("**/api/dashboard", 200, {
        user: {
          username: "wildfox",
          email: "wildfox@mail.example",
          suspended: {
            until: "2026-12-20 18:05:09",
            reason: "Threats in several notes to other people here.",
          },
        },
      }),
    inAllLanguages: true,
    act: (page) => page.locator("#suspended").waitFor(),
  }),
  "home-qr": home(over(click("QR code"), CLOSE)),
  inbox: inbox({ act: (page) => page.cards.first().waitFor() }),
  "inbox-empty": inbox({ as: "newcomer", act: seen("All quiet") }),
  "inbox-empty-batches": inbox({ as: "newcomer", prepare: inBatches, act: seen("every 15 minutes") }),
  "inbox-batches": inbox({ prepare: inBatches, act: seen("every 15 minutes") }),
  "inbox-read": inbox({
    act: async (page) => {
      for (let read = 0; read < 2; read += 1) await page.button(/^Read/).nth(1).click();
    },
  }),
  "inbox-deleted": inbox({
    // The note has to stay: the deletion is final when this page is left.
    prepare: (page) => page.answers("**/api/message/*", 200),
    act: async (page) => {
      await page.noteMenu(page.cards.nth(1), "Delete");
      await page.sees("Note deleted");
    },
  }),
  "inbox-delete-all": inbox(over((page) => page.moreMenu("Delete all"), CANCEL)),
  "inbox-capture": inbox(over(click(/^Capture as image/, 1), CLOSE)),
  "inbox-capture-square": inbox(
    over(click(/^Capture as image/, 2), CLOSE, async (page) => {
      for (const choice of ["Square", "Night"]) await page.radio(choice).check();
    }),
  ),
  "inbox-menu": inbox({ overlay: true, act: click(/^More for the note/, 1) }),
  "inbox-report": inbox(
    over(async (page) => {
      await page
        .button(/^More for the note/)
        .nth(1)
        .click();
      await page.item("Report note").click();
    }, /^What’s wrong/),
  ),
  "inbox-loading": loading(inbox, "**/api/messages*"),
  "inbox-offline": offline(inbox, "**/api/messages*"),
  groups: groups({ act: seen("midnight tacos") }),
  "groups-empty": groups({ as: "newcomer", act: seen("Sorry, no available rooms") }),
  "groups-qr": groups(over(click(/^QR code/), CLOSE)),
  "groups-delete": groups(over(click(/^Delete/), CANCEL)),
  "groups-joined": groups(joined),
  "groups-loading": loading(groups, "**/api/rooms"),
  "groups-offline": offline(groups, "**/api/rooms"),
  newgroup: newGroup(),
  "newgroup-named": newGroup({ act: nameGroup }),
  "newgroup-refused": newGroup({ complains: ["409"], act: createAnswered(409, { code: "no_more_groups" }) }),
  "newgroup-created": newGroup({
    act: createAnswered(201, { room_id: "6f1c5e0a-52b5-4f0e-9f6d-0e5f5d1c2b3a", creator: "wildfox" }),
  }),
  "groups-knocks": {
    path: "/homepage?tab=groups",
    prepare: async (page, { base }) => {
      const host = await register(base);
      await signedIn(page.context(), host);
      for (const name of ["midnight tacos", "the last row"])
        await knockAt(await createGroup(host, name, true));
    },
    act: (page) =>
      page
        .getByRole("list", { name: "At the door" })
        .getByText(/knocking at midnight tacos/)
        .waitFor(),
  },
  ...CHAT_SCREENS,
  ...CONVERSATION_SCREENS,
  ...ANSWER_SCREENS,
  ...SEAL_SCREENS,
  ...SHIELD_SCREENS,
};
