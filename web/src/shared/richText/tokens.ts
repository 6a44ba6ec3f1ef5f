import { DIRECTION_MARKS } from "@/shared/contract/names";
import { webAddress } from "./address";

/**
 * A message taken apart. Everything is text unless it is said to be a link; nothing is ever markup. A link's text says
 * what will be opened, and is to stand in an element that keeps its direction to itself.
 */
export type Token = { kind: "text"; text: string } | { kind: "link"; text: string; href: string };

/** How a message made of emoji alone is shown: one is larger than several. */
export type EmojiStyle = "none" | "some" | "single";

const LINK_TAG = /<a\s[^<>]*?href\s*=\s*(["']?)(https?:\/\/[^\s"'<>]+)\1[^<>]*>([^<>]*)<\/a\s*>/giu;
/** Marks that turn what follows round end an address: with one in it, it would be read as another. */
const ADDRESS = new RegExp(`\\b(?:https?://|www\\.)[^\\s<>"'${DIRECTION_MARKS}]+`, "giu");
/** Closes a sentence rather than belongs to an address. */
const TRAILING = /[.,:;!?…'"»”’*_。．｡、，！？：；」』）】》]+$/u;

/** Finds the links: bare addresses, and link tags, of which the true address is always shown. */
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

/** A tag may call any address anything, so what it calls it is plain text and the address is the link. */
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

/** `(see https://a.example/b_(c))` holds `https://a.example/b_(c)`: a closing bracket counts if it was opened. */
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

/** Of letters that are one character each. */
const PLAIN = /^[\x20-\x7E\p{Script=Latin}]*$/u;

let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for one character each: a family of four is one. */
export function graphemes(text: string): string[] {
  // A slow phone takes a tenth of a second to make a segmenter.
  if (PLAIN.test(text)) return Array.from(text);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function isEmoji(grapheme: string): boolean {
  return EMOJI.test(grapheme);
}

/** A letter, a digit or a point that isn't drawn as an emoji, as those in ℹ️, 5️⃣ and ‼️ are. */
const IN_WORDS = /[\p{L}\p{Nd}\p{P}](?![\u{FE0F}\u{20E3}])/u;

export function emojiStyle(message: string): EmojiStyle {
  const close = message.replace(/\s/gu, "");
  // Most have a letter, and needn't be taken apart.
  if (IN_WORDS.test(close) || !isEmoji(close)) return "none";
  const signs = graphemes(close);
  if (!signs.every(isEmoji)) return "none";
  return signs.length === 1 ? "single" : "some";
}
