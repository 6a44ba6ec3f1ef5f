import * as limit from "@/shared/contract/limits";

/** The words about where somebody is signed in. */
export const signIns = {
  title: "Where you’re signed in",
  body: `Each one ends ${limit.TOKEN_LIFETIME_SECONDS / 3600} hours after signing in. Only the browser and the days are kept, not where it was.`,
  program: (browser: string | null, system: string | null) => {
    if (!browser) return system ? `A browser on ${system}` : "An app";
    return system ? `${browser} on ${system}` : browser;
  },
  here: "This browser",
  since: (began: string) => `Since ${began}`,
  used: (began: string, used: string) => `Since ${began}, last used ${used}`,
  isNew: "New",
  end: "Sign out",
  endOf: (program: string) => `Sign out: ${program}`,
  ended: "Signed out there",
  endOthers: "Sign out everywhere else",
  endedOthers: "Signed out everywhere else",
  /** On the pages of somebody whose account has signed in from a browser that it didn’t know. */
  asks: {
    heading: "Was that you?",
    body: (program: string, day: string) => `${program} signed in to your account on ${day}.`,
    yes: "Yes, that was me",
    no: "No",
    noMore: "It’s signed out. Choose a new password now, because someone knows yours.",
  },
};
