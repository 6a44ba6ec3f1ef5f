/** The description of a screen, and the people whom the screens need. */
import type { Group, Person } from "../support/people.ts";
import type { AppPage } from "../support/test.ts";

export interface Screen {
  path: string;
  /** Who is signed in. Without it, nobody is. */
  as?: "person" | "newcomer";
  /** Runs before the page is opened. */
  prepare?: (page: AppPage, cast: Cast) => Promise<unknown>;
  /** Runs when the page is open. */
  act?: (page: AppPage, cast: Cast) => Promise<unknown>;
  /** The screen covers the page, so that a photograph shows only the window. */
  overlay?: true;
  /** Its steps don't depend on the words on it, so that it is looked at in every language. */
  inAllLanguages?: boolean;
  /** Parts of the errors that the browser is expected to report. */
  complains?: string[];
}

export interface Cast {
  base: string;
  person: Person;
  newcomer: Person;
  /** The group with many messages. It is only created when a screen needs it. */
  talk: () => Promise<Talk>;
}

export interface Talk {
  group: Group;
  seat: Awaited<ReturnType<ReturnType<AppPage["context"]>["cookies"]>>;
}
