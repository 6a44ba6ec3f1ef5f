import { SIGNS } from "@/shared/contract/signs";
import { graphemes } from "@/shared/richText/tokens";
import { deviceStorage } from "@/shared/storage";

const KEY = "annon.emoji";
const RECENT = 16;

/** The emoji, in the order of their names in the texts. So are the groups. */
export const GROUPS: readonly string[][] = SIGNS.map((all) => graphemes(all));

/** First the emoji whose names have words that begin with those of `query`, then those that contain them anywhere. */
export function found(query: string, names: string): string[] {
  const wanted = query.normalize().toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const signs = GROUPS.flat();
  const called = names.split(",");
  const having = (start: string) =>
    signs.filter((_, at) => wanted.every((word) => called[at]?.includes(start + word)));
  return [...new Set([...having(" "), ...having("")])];
}

export function recent(): string[] {
  return graphemes(deviceStorage.getItem(KEY) ?? "").slice(0, RECENT);
}

export function remember(sign: string) {
  const others = recent().filter((other) => other !== sign);
  deviceStorage.setItem(KEY, [sign, ...others].slice(0, RECENT).join(""));
}
