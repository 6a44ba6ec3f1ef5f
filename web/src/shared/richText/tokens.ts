import { DIRECTION_MARKS } from "@/shared/contract/names";
import { webAddress } from "./address";

/**
 * A part of a message: text or a link, never markup. A link's text is the address that will be opened. It has to be in
 * an element that isolates its direction.
 */
export type Token = { kind: "text"; text: string } | { kind: "link"; text: string; href: string };

/** Whether a message is emoji alone: several are drawn large, a single one larger. */
export type EmojiStyle = "none" | "some" | "single";

const LINK_TAG = /<a\s[^<>]*?href\s*=\s*(["']?)(https?:\/\/[^\s"'<>]+)\1[^<>]*>([^<>]*)<\/a\s*>/giu;
/** A direction mark ends an address: with such a mark inside it would look like another address. */
const ADDRESS = new RegExp(`\\b(?:https?://|www\\.)[^\\s<>"'${DIRECTION_MARKS}]+`, "giu");
/** Signs at the end that belong to the sentence, not to the address. */
const TRAILING = /[.,:;!?…'"»”’*_。．｡、，！？：；」』）】》]+$/u;

/** Splits a message at its links: addresses, and link tags, for which the true address is always shown. */
export function tokens(message: string): Token[] {
  const found: Token[] = [];
  let from = 0;
  for (const match of message.matchAll(LINK_TAG)) {
    found.push(...addresses(message.slice(from, match.index)), ...tagged(match[2] ?? "", match[3] ?? ""));
    from = match.index + match[0].length;
  }
  found.push(...addresses(message.slice(from)));
  return joined(found);
}

/** The label of a tag can be a lie, so it becomes plain text, and only the address becomes a link. */
function tagged(typed: string, label: string): Token[] {
  const address = webAddress(typed);
  if (!address) return [{ kind: "text", text: `${label} ${typed}` }];
  const link: Token = { kind: "link", text: address.shown, href: address.href };
  const words = label.trim();
  if (words === "" || words === typed) return [link];
  return [{ kind: "text", text: `${words} (` }, link, { kind: "text", text: ")" }];
}

function addresses(text: string): Token[] {
  const found: Token[] = [];
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const typed = withoutTrailing(match[0]);
    const address = webAddress(typed);
    if (!address) continue;
    found.push({ kind: "text", text: text.slice(from, match.index) });
    found.push({ kind: "link", text: address.shown, href: address.href });
    from = match.index + typed.length;
  }
  found.push({ kind: "text", text: text.slice(from) });
  return found;
}

/** In `(see https://a.example/b_(c))` the address ends with `b_(c)`: a bracket belongs to it if it was opened in it. */
function withoutTrailing(address: string): string {
  const trimmed = address.replace(TRAILING, "");
  const opened = trimmed.split("(").length;
  const closed = trimmed.split(")").length;
  if (trimmed.endsWith(")") && closed > opened) return withoutTrailing(trimmed.slice(0, -1));
  return trimmed;
}

function joined(all: Token[]): Token[] {
  const merged: Token[] = [];
  for (const token of all) {
    const last = merged.at(-1);
    if (token.text === "") continue;
    if (token.kind === "text" && last?.kind === "text") last.text += token.text;
    else merged.push({ ...token });
  }
  return merged;
}

const EMOJI =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\u{FE0F}|\p{Regional_Indicator}{2}|[0-9#*]\u{FE0F}?\u{20E3}|\p{Emoji_Modifier_Base})/u;

/** Texts in which each character is one letter. */
const PLAIN = /^[\x20-\x7E\p{Script=Latin}]*$/u;

let segmenter: Intl.Segmenter | undefined;

/** The characters as a reader counts them: an emoji of a family is one. */
export function graphemes(text: string): string[] {
  // A slow phone needs a tenth of a second to make a segmenter.
  if (PLAIN.test(text)) return Array.from(text);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function isEmoji(grapheme: string): boolean {
  return EMOJI.test(grapheme);
}

/** A letter, digit or punctuation sign that is not part of an emoji such as ℹ️, 5️⃣ or ‼️. */
const IN_WORDS = /[\p{L}\p{Nd}\p{P}](?![\u{FE0F}\u{20E3}])/u;

export function emojiStyle(message: string): EmojiStyle {
  const close = message.replace(/\s/gu, "");
  // Most messages have a letter, and are not split into characters.
  if (IN_WORDS.test(close) || !isEmoji(close)) return "none";
  const signs = graphemes(close);
  if (!signs.every(isEmoji)) return "none";
  return signs.length === 1 ? "single" : "some";
}
