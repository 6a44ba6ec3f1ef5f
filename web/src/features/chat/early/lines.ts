import messages from "@/shared/richText/RichText.module.css";
import { emojiStyle, tokens } from "@/shared/richText/tokens";
import { language } from "@/shared/text/language";
import type { Line, Message, Notice } from "../chat";
import { changeIn } from "../notices";
import bubbles from "../ui/Bubble.module.css";
import pictures from "../ui/BubblePicture.module.css";
import rows from "../ui/MessageRow.module.css";
import { clockTime } from "../ui/moment";
import list from "../ui/Row.module.css";
import { ratioOf } from "../ui/ratio";
import { together } from "../ui/together";
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
  const first = Math.max(0, lines.length - DRAWN);
  for (let end = lines.length; end > first; end -= AT_ONCE) {
    const from = Math.max(first, end - AT_ONCE);
    yield lines.slice(from, end).map((line, at) => drawn(lines[from + at - 1], line, lines[from + at + 1]));
  }
}

function drawn(before: Line | undefined, line: Line, after: Line | undefined): HTMLElement {
  return element(
    "div",
    { class: list.line },
    line.kind === "notice" ? notice(line) : message(line, !together(before, line), !together(line, after)),
  );
}

/** The server's own words, for who reads English: those of another language come with the app. */
function notice({ message }: Notice): HTMLElement {
  const change = changeIn(message);
  const face = change && "face" in change ? change.face : "";
  const shown = face === "" ? undefined : element("span", { class: list.face }, face);
  const words = language() === "en" ? message.slice(face.length) : "\u00a0";
  return element("p", { class: list.notice, dir: "auto" }, shown, words);
}

function message(line: Message, first: boolean, last: boolean): HTMLElement {
  const { mine, sender } = line;
  const face = first && !mine ? disc(sender, rows.face) : undefined;
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
    !unsent && words !== "" ? element("div", { class: bubbles.words }, said(words)) : undefined,
    element(
      "p",
      { class: bubbles.meta },
      element("span", {}, clockTime(time, Date.now())),
      mine && !unsent ? element("span", { class: bubbles.mark }, icon("check", 14)) : undefined,
    ),
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
