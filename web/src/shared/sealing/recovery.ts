import { decoded, encoded } from "../base64url";
import { secretOf } from "../hkdf";
import { type Bytes, utf8 } from "./bytes";
import { derivedKey, drawn, lock, unlock } from "./seal";

/** Crockford's letters of base32, and behind them the signs that only a check can be. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CHECKS = `${LETTERS}*~$=U`;

const CODE_LENGTH = 25;
const GROUP = 5;
const USE = "annon inbox wrap 1";

/** Why what was typed is no recovery code: it has too few signs or too many, one that no code has, or one mistyped. */
export type WrongCode = "length" | "sign" | "mistyped";

/** A new recovery code, as it is shown: five groups of five letters, and a letter that tells a mistyped one. */
export function newCode(draw = drawn): string {
  // 32 letters divide 256, so that each is equally likely.
  return shownCode(Array.from(draw(CODE_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join(""));
}

/** A code in groups, with its check. */
export function shownCode(code: string): string {
  const groups = code.match(new RegExp(`.{${GROUP}}`, "g")) ?? [];
  return [...groups, checkOf(code)].join("-");
}

/** What somebody has typed of a code, as codes are written. */
export function signsOf(typed: string): string {
  return typed
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
}

/** The 25 letters of a code that somebody has typed, or why it is none. */
export function readCode(
  typed: string,
): { code: string; wrong?: never } | { code?: never; wrong: WrongCode } {
  const signs = signsOf(typed);
  const [code, check] = [signs.slice(0, CODE_LENGTH), signs.slice(CODE_LENGTH)];
  if ([...signs].some((sign) => !CHECKS.includes(sign))) return { wrong: "sign" };
  // In a code that lacks a letter, the check is where a letter should be.
  if (signs.length !== CODE_LENGTH + 1) return { wrong: "length" };
  if ([...code].some((sign) => !LETTERS.includes(sign))) return { wrong: "sign" };
  return checkOf(code) === check ? { code } : { wrong: "mistyped" };
}

/** Crockford's check: the code as a number, modulo 37. */
function checkOf(code: string): string {
  const number = [...code].reduce((sum, letter) => (sum * 32 + LETTERS.indexOf(letter)) % CHECKS.length, 0);
  return CHECKS.charAt(number);
}

const keyOf = async (code: string) => derivedKey(await secretOf(utf8(code)), USE);

/** Wraps a private key (PKCS#8) by the letters of a recovery code. */
export async function wrap(code: string, pkcs8: Bytes, draw = drawn): Promise<string> {
  return encoded(await lock(await keyOf(code), utf8(USE), pkcs8, draw));
}

/** The private key; undefined if it was wrapped by another code. */
export async function unwrap(code: string, wrapped: string): Promise<Bytes | undefined> {
  const key = await keyOf(code);
  return unlock(key, utf8(USE), decoded(wrapped) ?? new Uint8Array()).catch(() => undefined);
}
