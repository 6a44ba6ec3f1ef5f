/** What a sender sees of a sealed inbox, and the conversations that begin there. */
import { type Conversation, type Person, register, signedIn } from "../support/people.ts";
import { askSealed, saySealed, sealAs, unseal } from "../support/seal.ts";
import type { AppPage } from "../support/test.ts";
import type { Cast, Screen } from "./screen.ts";

const NOTE = "You lent me your umbrella in June, and I never told you that I still have it.";
const ANSWER = "The green one? Keep it, it was never mine either.";
const LAST = "Then I can sleep again. Thank you!";

const MARK = /^(Sealed|Versiegelt)$/;
/** The part of a link that names a key which nobody has. */
const OTHER_KEY = `#k=${"A".repeat(14)}`;

type Inbox = Awaited<ReturnType<typeof sealAs>>;
type Act = (page: AppPage, inbox: Inbox, owner: Person) => Promise<unknown>;

/** The personal page of a sealed inbox, with a note that isn't sent. */
const writing = (path: (inbox: Inbox) => string, act: Act, openNotes = false): Screen => ({
  path: "/",
  inAllLanguages: true,
  act: async (page, { base }) => {
    const owner = await register(base);
    const inbox = await sealAs(owner, openNotes);
    await page.goto(base + path(inbox));
    await page.locator("textarea").fill(NOTE);
    await act(page, inbox, owner);
  },
});

const mark = (page: AppPage) => page.button(MARK).waitFor();
const about = async (page: AppPage) => {
  await page.button(MARK).click();
  await page.dialog.locator("li").first().waitFor();
};

async function refused(page: AppPage) {
  await page.locator("[type=submit]").click();
  await page.getByRole("alert").waitFor();
}

/** As on a page that came without TLS, where browsers can seal nothing. */
const cantSeal = (page: AppPage) =>
  page.addInitScript(() => Object.defineProperty(crypto, "subtle", { value: undefined, configurable: true }));

/** A conversation in which both have said something. */
async function talked(to: Person): Promise<Conversation> {
  const conversation = await askSealed(to, NOTE);
  await saySealed(conversation, "owner", ANSWER);
  await saySealed(conversation, "sender", LAST);
  return conversation;
}

type InTalk = (page: AppPage, conversation: Conversation) => Promise<unknown>;

/** The page of a conversation as its sender has it. */
const sender = (act: InTalk, before: InTalk = async () => {}): Screen => ({
  path: "/",
  overlay: true,
  inAllLanguages: true,
  act: async (page, { base }) => {
    const to = await register(base);
    await sealAs(to);
    const conversation = await talked(to);
    await before(page, conversation);
    await page.goto("about:blank");
    await page.goto(base + conversation.path);
    await act(page, conversation);
  },
});

/** The page of a conversation on a device of the owner's that doesn't have the key. */
async function keyless(page: AppPage, { base }: Cast): Promise<string> {
  const owner = await register(base);
  const { code } = await sealAs(owner);
  const { id } = await talked(owner);
  await signedIn(page.context(), owner);
  await page.goto(`${base}/c/${id}`);
  await page.locator("main [data-kind=hot]").waitFor();
  return code;
}

async function asOwner(page: AppPage, cast: Cast) {
  const code = await keyless(page, cast);
  await page.locator("main [data-kind=hot]").click();
  await page.dialog.getByRole("textbox").fill(code);
  await page.dialog.locator("[data-kind=hot]").click();
  await seen(page);
}

const seen = (page: AppPage) => page.getByText(LAST).first().waitFor();

/** This device remembers the conversation as a sealed one, and the server says that it isn't. */
async function remembered(page: AppPage, { id, secret, to }: Conversation) {
  const kept = JSON.stringify({ secret, to: to.username, since: Date.now() - 3e6, isSealed: true });
  await page.goto(to.base);
  await page.evaluate(([id, kept]) => localStorage.setItem(`annon.conversation.${id}`, kept), [id, kept]);
  await page.route("**/api/conversation/*?*", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.note = { message: NOTE, date: body.data.note.date };
    await route.fulfill({ response, json: body });
  });
}

export const SEALED_TALK_SCREENS: Record<string, Screen> = {
  "seal-note": writing(({ pinned }) => pinned, mark),
  "seal-note-about": { ...writing(({ pinned }) => pinned, about), overlay: true },
  "seal-note-other-key": writing(({ path }) => path + OTHER_KEY, refused),
  "seal-note-not-sealed": writing(
    ({ pinned }) => pinned,
    async (page, _, owner) => {
      await unseal(owner);
      await page.reload();
      await page.locator("[type=submit]").waitFor();
      await refused(page);
    },
  ),
  "seal-note-cant": { ...writing(({ path }) => path, refused), prepare: cantSeal },
  "seal-note-open": {
    ...writing(
      ({ path }) => path,
      (page) => page.locator("form [role=status] p").waitFor(),
      true,
    ),
    prepare: cantSeal,
  },
  "seal-talk": sender(seen),
  "seal-talk-about": sender(about),
  "seal-talk-broken": sender(seen, (_, conversation) =>
    saySealed(conversation, "owner", "Nobody reads this.", false),
  ),
  "seal-talk-open": sender((page) => page.locator("main h1").waitFor(), remembered),
  "seal-talk-keyless": { path: "/", inAllLanguages: true, act: keyless },
  "seal-talk-owner": { path: "/", overlay: true, inAllLanguages: true, act: asOwner },
};
