import { ROOM_NAME_MIN } from "@/shared/contract/limits";
import { characters, isBlank } from "@/shared/text/characters";
import { withoutDirections } from "@/shared/text/directions";

/** Browsers can seal only on pages that came by TLS, or from the same device. */
export const canSeal = () => globalThis.crypto?.subtle !== undefined;

export function isNameEnough(name: string): boolean {
  const plain = withoutDirections(name).trim();
  return !isBlank(plain) && characters(plain) >= ROOM_NAME_MIN;
}

/** A random name that is not the current one, so that the button always changes something. */
export function anotherName(names: readonly string[], current: string, random = Math.random): string {
  const others = names.filter((name) => name !== current);
  return others[Math.floor(random() * others.length)] ?? current;
}
