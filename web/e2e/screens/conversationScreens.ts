/** The screens of conversations. */
import { button } from "../support/page.ts";
import {
  askForAnswer,
  type Conversation,
  closeConversation,
  register,
  sayIn,
  signedIn,
} from "../support/people.ts";
import type { AppPage } from "../support/test.ts";
import type { Cast, Screen } from "./screen.ts";

const NOTE =
  "I never told you, but the day you sat with me at lunch was the day I decided to stay. Please keep sitting next to people who sit alone.";

/** A conversation in which both have said something. */
async function talked({ base }: Cast): Promise<Conversation> {
  const conversation = await askForAnswer(await register(base), NOTE);
  await sayIn(conversation, "owner", "Thank you for telling me. I had no idea.");
  await sayIn(conversation, "sender", "I wanted to say it for a long time.");
  await sayIn(conversation, "sender", "Is it ok if I stay anonymous?");
  return conversation;
}

type Act = (page: AppPage, conversation: Conversation) => Promise<unknown>;

/** The page of a conversation, after these steps. */
const thread = (side: "owner" | "sender", act?: Act, more: Partial<Screen> = {}): Screen => ({
  path: "/",
  overlay: true,
  inAllLanguages: act === undefined,
  ...more,
  act: async (page, cast) => {
    const conversation = await talked(cast);
    if (side === "owner") await signedIn(page.context(), conversation.to);
    await page.goto(cast.base + (side === "owner" ? `/c/${conversation.id}` : conversation.path));
    await page.getByText("Is it ok if I stay anonymous?").first().waitFor();
    await act?.(page, conversation);
  },
});

/** A page without a conversation. */
const nothing = (hash: string): Screen => ({
  path: `/c/AAECAwQFBgcICQoLDA0ODw${hash}`,
  inAllLanguages: true,
  act: (page) => page.locator("main h1").waitFor(),
});

async function remember(page: AppPage, cast: Cast) {
  const conversation = await talked(cast);
  await sayIn(conversation, "owner", "Of course.");
  const { id, secret, to } = conversation;
  await page.goto(cast.base);
  await page.evaluate(
    ([id, secret, to]) =>
      localStorage.setItem(
        `annon.conversation.${id}`,
        JSON.stringify({ secret, to, since: Date.now() - 3e6 }),
      ),
    [id, secret, to.username],
  );
}

/** An inbox with two conversations: in one something new was said. */
const inbox = (act: (page: AppPage) => Promise<unknown>): Screen => ({
  path: "/homepage?tab=inbox",
  inAllLanguages: true,
  act: async (page, cast) => {
    const conversation = await talked(cast);
    await askForAnswer(conversation.to, "And would you do it again? I would.");
    await signedIn(page.context(), conversation.to);
    await page.goto(`${cast.base}/homepage?tab=inbox`);
    await page.locator("[aria-pressed]").first().waitFor();
    await act(page);
  },
});

export const CONVERSATION_SCREENS: Record<string, Screen> = {
  conversation: thread("sender"),
  "conversation-owner": thread("owner"),
  "conversation-menu": thread("sender", (page) => page.moreMenu()),
  "conversation-end": thread("sender", (page) => page.moreMenu("End and delete for both")),
  "conversation-close": thread("owner", (page) => page.moreMenu("Close to new messages")),
  "conversation-code": thread("sender", (page) => page.moreMenu("Show as QR code")),
  "conversation-message-menu": thread("sender", (page) => page.messageMenu("Is it ok if I stay anonymous?")),
  "conversation-waits": thread("sender", async (page) => {
    await page.sends("Just say so if not.");
    await page.sees("That’s 3 in a row.");
  }),
  "conversation-closed": thread("sender", async (page, conversation) => {
    await closeConversation(conversation);
    await page.sees("closed this conversation");
  }),
  "conversation-gone": nothing("#AAECAwQFBgcICQoLDA0ODw"),
  "conversation-keyless": nothing(""),
  "note-link": {
    path: "/newcomer",
    act: async (page) => {
      await page.getByLabel("Your anonymous note").fill(NOTE);
      await page.getByRole("switch", { name: "I’d like an answer" }).click();
      await page.answers("**/api/annon-message", 201);
      await page.locator("[type=submit]").click();
      await page.sees("Your private link");
      await page.button("Remember on this device").click();
    },
  },
  "landing-remembered": {
    path: "/",
    prepare: remember,
    inAllLanguages: true,
    act: (page) => page.locator("article .pill").first().waitFor(),
  },
  "header-answers": {
    path: "/about",
    prepare: remember,
    inAllLanguages: true,
    act: (page) => page.locator("header .pill").waitFor(),
  },
  "landing-forget": {
    path: "/",
    overlay: true,
    prepare: remember,
    act: (page) =>
      button(page, /^Forget the note/)
        .first()
        .click(),
  },
  "inbox-conversations": inbox(async () => {}),
  "inbox-conversations-list": inbox((page) => page.locator("[aria-pressed]").last().click()),
};
