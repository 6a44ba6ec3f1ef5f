/** The screens of public answers and of what people set up of their personal page. */
import { button } from "../support/page.ts";
import {
  answerInPublic,
  type Person,
  register,
  sendOnlyFor,
  setUpPage,
  signedIn,
} from "../support/people.ts";
import type { AppPage } from "../support/test.ts";
import { opens } from "./chatScreens.ts";
import type { Cast, Screen } from "./screen.ts";

interface Answerer {
  person: Person;
  path: string;
}

let answerer: Promise<Answerer> | undefined;

/** Somebody who has answered two notes in public, with a line and prompts on their page. */
function answering({ base }: Cast): Promise<Answerer> {
  const begin = async () => {
    const person = await register(base, "cellist-7");
    await setUpPage(person, {
      line: "I play the cello, mostly at night.",
      prompts: [
        "Ask me about music",
        "What should I read next?",
        "Where is the best soup in town, and why is it there?",
      ],
    });
    await sendOnlyFor(person, "You don’t know me, and I’d rather it stayed that way.");
    await answerInPublic(
      person,
      "Will you play again this summer?",
      "On Friday, at the harbour. https://harbour.example/friday",
    );
    const path = await answerInPublic(
      person,
      "Who taught you to play so quietly that a whole room leans in? I have been trying to find out since the concert in May.",
      "My grandmother. She lived below us and went to bed at eight, so I had an hour every evening in which I had to play as if nobody was there. I still play for her.",
    );
    return { person, path };
  };
  answerer ??= begin();
  return answerer;
}

/** A screen of theirs: as they see it, or as a stranger does. */
const screen = (
  at: (answerer: Answerer) => string,
  act: (page: AppPage) => Promise<unknown>,
  isTheirs = false,
): Screen => ({
  path: "/",
  overlay: true,
  act: async (page, cast) => {
    const found = await answering(cast);
    if (isTheirs) await signedIn(page.context(), found.person);
    await page.goto(cast.base + at(found));
    await act(page);
  },
});

const theirs = (path: string, act: (page: AppPage) => Promise<unknown>) => screen(() => path, act, true);
const inbox = (act: (page: AppPage) => Promise<unknown>) =>
  theirs("/homepage?tab=inbox", async (page) => {
    await page
      .button(/^Read the note/)
      .first()
      .click();
    await act(page);
  });
const page = ({ person }: Answerer) => `/${person.username}`;

export const ANSWER_SCREENS: Record<string, Screen> = {
  "note-answers": {
    ...screen(page, (page) => page.heading("Answered in public").waitFor()),
    overlay: undefined,
  } as Screen,
  "note-prompt": screen(page, async (page) => {
    await page.button("What should I read next?").click();
    await page.getByLabel("Only for cellist-7").check();
  }),
  answer: {
    ...screen(
      ({ path }) => path,
      (page) => page.link("Send cellist-7 a note").waitFor(),
    ),
    overlay: undefined,
  } as Screen,
  "answer-picture": screen(
    ({ path }) => path,
    (page) => opens<undefined>((page) => page.button("Save as image").click(), /^Close/)(page, undefined),
  ),
  "answer-gone": {
    path: "/wildfox/a/AAECAwQFBgcICQoLDA0O_w",
    complains: ["404"],
    act: (page) => page.sees("No longer here"),
  },
  "inbox-answered": inbox((page) => page.sees("Your public answer")),
  "inbox-answer": inbox((page) =>
    opens<undefined>((page) => page.noteMenu(page.cards.first(), "Edit answer"), /^Your answer$/)(
      page,
      undefined,
    ),
  ),
  "inbox-take-down": inbox(async (page) => {
    await page.noteMenu(page.cards.first(), "Take answer down");
    await button(page.question, "Take down").waitFor();
  }),
  "inbox-only-for-you": theirs("/homepage?tab=inbox", async (page) => {
    await page
      .button(/^Read the note/)
      .last()
      .click();
    await page.sees(/Only for you: the sender/);
  }),
  "settings-page": theirs("/settings", (page) =>
    opens<undefined>((page) => page.button(/^Your page/).click(), /^About you$/)(page, undefined),
  ),
};
