/** The screens of what an owner sets against spam and cruelty, and what a sender sees of it. */
import { INBOX_PAGE } from "../../src/shared/contract/limits.ts";
import { button } from "../support/page.ts";
import type { AppPage } from "../support/test.ts";
import type { Cast, Screen } from "./screen.ts";

const WORDS = ["pineapple", "go away", "mustard"];
const NOTE = "Your pineapple jokes were the worst part of the evening, and I say that as a friend.";

const data = [NOTE, "Go away with your mustard."].map((message, at) => ({
  id: `0000000${at}-0000-4000-8000-000000000000`,
  message,
  began: message,
  date: "2026-07-04 12:30:00",
  seen: false,
}));

/** As many as a page has, so that there may be more. */
const manyBlocks = Array.from({ length: INBOX_PAGE }, (_, at) => ({
  ...data[at % data.length],
  id: crypto.randomUUID(),
}));

const settings = async (page: AppPage) => {
  const json = { batches: false, paused: true, shield: "auto", held_words: WORDS };
  await page.answers("**/api/inbox", 200, json);
};

const owner = (path: string, more: Partial<Screen>): Screen => ({
  path,
  as: "person",
  overlay: true,
  inAllLanguages: false,
  ...more,
});

async function held(page: AppPage) {
  await page.button("More").first().click();
  await page.getByRole("menuitem", { name: "Held back" }).click();
  await button(page.dialog, /^Show in inbox/)
    .first()
    .waitFor();
}

export const SHIELD_SCREENS: Record<string, Screen> = {
  "settings-paused": owner("/settings", {
    overlay: undefined,
    prepare: settings,
    act: (page) => page.sees("3 words and phrases"),
  }),
  "settings-words": owner("/settings", {
    prepare: settings,
    act: async (page) => {
      await page.sees("3 words and phrases");
      await page.button(/^Words to hold back/).click();
      await page.getByLabel("One word or phrase a line").waitFor();
    },
  }),
  "settings-blocks": owner("/settings", {
    prepare: (page) => page.answers("**/api/blocks?*", 200, { data: manyBlocks }),
    act: async (page) => {
      await page.button(/^Blocked/).click();
      await page.button("Show older").scrollIntoViewIfNeeded();
    },
  }),
  "inbox-held": owner("/homepage?tab=inbox", {
    prepare: (page) => page.answers("**/api/messages?held=true**", 200, { message: 0, data }),
    act: held,
  }),
  "inbox-block": owner("/homepage?tab=inbox", {
    act: async (page) => {
      await button(page.cards.first(), /^More for the note/).click();
      await page.getByRole("menuitem", { name: "Block the sender" }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  }),
  "note-paused": {
    path: "/",
    act: async (page: AppPage, { base, person }: Cast) => {
      const set = { answers: false, line: "", prompts: [], only_for_you: false };
      await page.answers("**/api/annon/*", 200, { message: "0", paused: true, ...set });
      await page.goto(`${base}/${person.username}`);
      await page.sees(/taking a break|macht eine Pause/);
    },
  },
};
