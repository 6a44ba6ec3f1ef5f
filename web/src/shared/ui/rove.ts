import type { KeyboardEvent } from "react";

export const DOWN: ArrowKeys = { back: "ArrowUp", on: "ArrowDown" };
export const ACROSS: ArrowKeys = { back: "ArrowLeft", on: "ArrowRight" };

type ArrowKeys = { back: string; on: string };

/** The index of the item to which a key leads from item `at` (-1: none) of `count`. Wraps around at both ends. */
export function reached(key: string, at: number, count: number, { back, on }: ArrowKeys): number | undefined {
  if (key === on) return (at + 1) % count;
  if (key === back) return (at > 0 ? at : count) - 1;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
}

/** Moves the focus by arrow keys among tabs or items of a menu, of which the Tab key reaches only one. */
export function rove(event: KeyboardEvent<HTMLElement>, role: "menuitem" | "tab", keys: ArrowKeys) {
  // Items that can be checked are items, too.
  const which = role === "menuitem" ? "[role^=menuitem]" : "[role=tab]";
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(which)];
  const at = all.findIndex((one) => one.matches(":focus"));
  const next =
    reached(event.key, at, all.length, keys) ?? (role === "menuitem" ? named(event, at, all) : undefined);
  if (next === undefined) return;
  event.preventDefault();
  all[next]?.focus();
}

/** The next item that begins with the letter of this key. */
function named({ key, ctrlKey, altKey, metaKey }: KeyboardEvent, at: number, all: readonly HTMLElement[]) {
  if (key.length > 1 || key === " " || ctrlKey || altKey || metaKey) return undefined;
  const begins = all.map(({ textContent }) => textContent.toLowerCase().startsWith(key.toLowerCase()));
  const next = begins.indexOf(true, at + 1);
  const found = next === -1 ? begins.indexOf(true) : next;
  return found === -1 ? undefined : found;
}
