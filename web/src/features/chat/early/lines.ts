import messages from "@/shared/richText/RichText.module.css";
import { emojiStyle, tokens } from "@/shared/richText/tokens";
import { language } from "@/shared/text/language";
import type { Line, Message, Notice } from "../chat";
import bubbles from "../ui/Bubble.module.css";
import pictures from "../ui/BubblePicture.module.css";
import { begins, type Comings, type ListRow, rowsOf } from "../ui/listRows";
import rows from "../ui/MessageRow.module.css";
import { clockTime, isNewDay } from "../ui/moment";
import list from "../ui/Row.module.css";
import { ratioOf } from "../ui/ratio";
import { disc, element, icon } from "./element";

/** More than a screen holds. */
export const DRAWN = 20;

/** A slow phone draws so many in less time than a thumb notices. */
const AT_ONCE = 10;

/** The first time it is asked, the clock takes longer than a line: best while there is nothing to draw yet. */
export function prepareClock() {
  clockTime(0, 0);
}

/**
 * The newest lines, each where the app will draw it, a few at a time and the newest first. They can't be used yet, so
 * they have no menus and no links.
 */
export function* drawnLines(lines: readonly Line[]): Generator<HTMLElement[]> {
  const rows = rowsOf(lines);
  const first = Math.max(0, rows.length - DRAWN);
  for (let end = rows.length; end > first; end -= AT_ONCE) {
    const from = Math.max(first, end - AT_ONCE);
    yield rows.slice(from, end).map((row, at) => drawn(rows[from + at - 1], row, rows[from + at + 1]));
  }
}

function drawn(before: ListRow | undefined, row: ListRow, after: ListRow | undefined): HTMLElement {
  return element(
    "div",
    { class: list.line },
    isNewDay(before, row) ? element("div", { class: list.day }, element("span", {}, "\u00a0")) : undefined,
    row.kind === "message" ? message(row, begins(before, row), begins(row, after)) : notice(row),
  );
}

/** The server's own words, for who reads English: those of another language, and for several, come with the app. */
function notice(row: Notice | Comings): HTMLElement {
  const { message, change } = row.kind === "notice" ? row : { message: "", change: undefined };
  const said = language() === "en" ? message : change && "face" in change && change.face;
  return element("p", { class: list.notice, dir: "auto" }, said || "\u00a0");
}

function message(line: Message, first: boolean, last: boolean): HTMLElement {
  const { mine, sender } = line;
  const face = last && !mine ? disc(sender, rows.face) : undefined;
  const slip = element("div", { class: rows.slip }, face, bubble(line));
  return element(
    "article",
    {
      class: rows.row,
      "data-first": first && "true",
      "data-last": last && "true",
      "data-mine": mine && "true",
    },
    slip,
  );
}

function bubble({ words, picture, reply, unsent, mine, time }: Message): HTMLElement {
  const isBare = !unsent && !reply && !picture && emojiStyle(words) !== "none";
  const clock = element(
    "p",
    { class: bubbles.meta },
    element("span", {}, clockTime(time, Date.now())),
    mine && !unsent ? element("span", { class: bubbles.mark }, icon("check", 14)) : undefined,
  );
  const hasWords = !unsent && words !== "";
  const isInLine = hasWords && !isBare;
  const made = element(
    "div",
    {
      class: bubbles.bubble,
      "data-bare": isBare && "true",
      "data-picture": !unsent && picture !== null && "true",
      "data-unsent": unsent && "true",
    },
    !unsent && reply ? quote(reply.sender, reply.words) : undefined,
    !unsent && picture ? element("div", { class: pictures.picture }) : undefined,
    unsent ? element("p", { class: bubbles.words }, "…") : undefined,
    hasWords
      ? element("div", { class: bubbles.words }, said(words), isInLine ? clock : undefined)
      : undefined,
    isInLine ? undefined : clock,
  );
  if (picture) made.style.setProperty("--ratio", String(ratioOf(picture)));
  return made;
}

function said(words: string): HTMLElement {
  const parts = tokens(words).map(({ kind, text }) =>
    kind === "text" ? text : element("span", { class: messages.link, dir: "ltr" }, text),
  );
  return element("span", { class: messages.message, "data-emoji": emojiStyle(words), dir: "auto" }, ...parts);
}

function quote(sender: string, words: string): HTMLElement {
  return element(
    "div",
    { class: bubbles.quote },
    element("span", { class: bubbles.quoted }, sender),
    element("span", { class: bubbles.said, dir: "auto" }, words || "…"),
  );
}
