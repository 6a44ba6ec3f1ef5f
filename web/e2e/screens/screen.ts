/** What a screen is, and who is on it. */
import type { Group, Person } from "../support/people.ts";
import type { AppPage } from "../support/test.ts";

export interface Screen {
  path: string;
  /** Who is signed in; nobody if it isn't said. */
  as?: "person" | "newcomer";
  /** What is done before the page is opened. */
  prepare?: (page: AppPage, cast: Cast) => Promise<unknown>;
  /** What is done when it is open. */
  act?: (page: AppPage, cast: Cast) => Promise<unknown>;
  /** It lies over the page, so that a picture shows the window only. */
  overlay?: true;
  /** Parts of what the browser is expected to complain of. */
  complains?: string[];
}

export interface Cast {
  base: string;
  person: Person;
  newcomer: Person;
  /** The group where a good deal was said. */
  talk: () => Promise<Talk>;
}

export interface Talk {
  group: Group;
  seat: Awaited<ReturnType<ReturnType<AppPage["context"]>["cookies"]>>;
}
