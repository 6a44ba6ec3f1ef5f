import { tabStorage } from "@/shared/storage";

const WANTED = "annon.wanted";
/** Later nobody remembers what they wanted. */
const LASTS_MS = 30 * 60 * 1000;

/** The page that this tab wanted to show when it was led to the login. */
export function keepWanted(path: string, now = Date.now()) {
  tabStorage.setItem(WANTED, `${now} ${path}`);
}

/** Gives it once, for after the sign-in. */
export function takeWanted(now = Date.now()): string | undefined {
  const [, at, path] = /^(\d+) (\/(?!\/).*)$/u.exec(tabStorage.getItem(WANTED) ?? "") ?? [];
  tabStorage.removeItem(WANTED);
  return now - Number(at) < LASTS_MS ? path : undefined;
}
