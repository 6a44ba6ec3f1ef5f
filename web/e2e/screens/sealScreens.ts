/** The screens of a sealed inbox. Each has an owner of its own, since what is sealed stays so. */
import { button } from "../support/page.ts";
import { type Person, register, setUpInbox, signedIn } from "../support/people.ts";
import { sendSealed } from "../support/seal.ts";
import type { AppPage } from "../support/test.ts";
import type { Cast, Screen } from "./screen.ts";
import { SEALED_TALK_SCREENS } from "./sealedTalkScreens.ts";

const NOTES = [
  "You explained recursion to me by explaining recursion to me. I still laugh about it.",
  "Your pineapple jokes were the worst part of the evening, and I say that as a friend.",
];

const ROW = /^(Seal your inbox|Posteingang versiegeln)/;
const hot = (page: AppPage) => page.locator("dialog [data-kind=hot]");

let owner: Person;

/** Somebody new is signed in. */
async function isOwner(page: AppPage, { base }: Cast) {
  owner = await register(base);
  await signedIn(page.context(), owner);
}

async function offer(page: AppPage) {
  await page.button(ROW).click();
  await hot(page).waitFor();
}

async function code(page: AppPage): Promise<string[]> {
  await offer(page);
  await hot(page).click();
  const groups = page.dialog.locator("[dir=ltr] > span");
  await groups.last().waitFor();
  return (await groups.allTextContents()).slice(1).map((group) => group.replace("-", ""));
}

async function check(page: AppPage): Promise<string[]> {
  const groups = await code(page);
  await hot(page).click();
  await page.dialog.getByRole("textbox").waitFor();
  return groups;
}

async function sealed(page: AppPage): Promise<string> {
  const groups = await check(page);
  // All of the code is fine, too, as a password manager fills it in.
  await page.dialog.getByRole("textbox").fill(groups.join("-"));
  await hot(page).click();
  await page.dialog.locator("summary").waitFor();
  return groups.join("-");
}

/** Presses a row of what can be done with a seal. */
const row = (name: RegExp) => (page: AppPage) => button(page.dialog, name).click();

async function inbox(page: AppPage) {
  await setUpInbox(owner, { held_words: ["pineapple"] });
  await sendSealed(owner, NOTES);
  await page.goto("about:blank");
  await page.goto(`${owner.base}/homepage?tab=inbox`);
  await page.cards.nth(1).waitFor();
}

/** As on a device that has never had the key. */
async function forgetKey(page: AppPage) {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.deleteDatabase("annon-inbox-keys").onsuccess = resolve;
      }),
  );
}

const settings = (act: (page: AppPage) => Promise<unknown>, more: Partial<Screen> = {}): Screen => ({
  path: "/settings",
  prepare: isOwner,
  overlay: true,
  inAllLanguages: true,
  act,
  ...more,
});

const after =
  (...steps: ((page: AppPage) => Promise<unknown>)[]) =>
  async (page: AppPage) => {
    for (const step of steps) await step(page);
  };

const question = (page: AppPage) => page.question.waitFor();

export const SEAL_SCREENS: Record<string, Screen> = {
  "seal-offer": settings(offer),
  "seal-code": settings(code),
  "seal-check": settings(
    after(
      check,
      (page) => page.dialog.getByRole("textbox").fill("AAAAA"),
      (page) => hot(page).click(),
      (page) => page.dialog.locator("[aria-invalid]").waitFor(),
    ),
  ),
  "seal-on": settings(sealed),
  "seal-about": settings(
    // By key: what was said of the new seal may lie above it.
    after(sealed, (page) => page.dialog.locator("summary").press("Enter")),
  ),
  "seal-handover": settings(
    after(sealed, row(/^(Open on another device|Auf anderem Gerät)/), (page) =>
      page.dialog.getByRole("img").waitFor(),
    ),
  ),
  "seal-new-key": settings(after(sealed, row(/^(New key|Neuer Schlüssel)/), question)),
  "seal-off": settings(
    after(
      sealed,
      row(/^(Stop sealing|Nicht mehr)/),
      question,
      (page) => page.question.locator("[data-kind=danger]").click(),
      (page) => button(page.dialog, /^(Seal again|Wieder versiegeln)/).waitFor(),
    ),
  ),
  "seal-inbox": settings(
    after(sealed, inbox, (page) => page.button(/^(Show the note|Die Nachricht vom .* zeigen)/).waitFor()),
    { overlay: undefined, inAllLanguages: false },
  ),
  "seal-keyless": settings(
    after(sealed, forgetKey, inbox, (page) =>
      page.button(/(recovery code|Wiederherstellungs.?code)/).waitFor(),
    ),
    { overlay: undefined, inAllLanguages: false },
  ),
  "seal-unlock": settings(
    after(
      sealed,
      forgetKey,
      inbox,
      (page) => page.button(/(recovery code|Wiederherstellungs.?code)/).click(),
      (page) => page.dialog.getByRole("textbox").fill("7K3QZ-0FVJA-9XW2M-HT4NB-5RDCE-A"),
      (page) => hot(page).click(),
      (page) => page.dialog.locator("[aria-invalid]").waitFor(),
    ),
    { inAllLanguages: false },
  ),
  "seal-open-gone": settings(
    after(
      sealed,
      forgetKey,
      (page) => page.goto("about:blank"),
      (page) => page.goto(`${owner.base}/open#${"A".repeat(43)}`),
      (page) => page.locator("main [data-kind=hot]").waitFor(),
    ),
    { overlay: undefined, complains: ["404"] },
  ),
  "seal-open-done": settings(
    after(
      sealed,
      (page) => page.goto("about:blank"),
      (page) => page.goto(`${owner.base}/open`),
      (page) => page.locator("main [data-kind=hot]").waitFor(),
    ),
    { overlay: undefined },
  ),
  ...SEALED_TALK_SCREENS,
};
