import type { Wire } from "@/shared/api/api";
import { graphemes } from "@/shared/richText/tokens";
import { deviceStorage } from "@/shared/storage";
import { nextTask, painted } from "@/shared/tasks";
import { withoutDirections } from "@/shared/text/directions";
import buttons from "@/shared/ui/IconButton.module.css";
import { ROOM_NAME_SHOWN } from "@/shared/wire/limits";
import { lineOf } from "../linesOf";
import screens from "../ui/ChatScreen.module.css";
import composer from "../ui/Composer.module.css";
import countdown from "../ui/Countdown.module.css";
import logs from "../ui/Log.module.css";
import toggle from "../ui/MembersToggle.module.css";
import headers from "../ui/RoomHeader.module.css";
import type { Answer } from "./ask";
import { disc, element, icon } from "./element";
import { drawnLines, prepareClock } from "./lines";

/**
 * A room's screen without the app: its frame at once, and what was said when it is known, in the classes of the
 * components and so in their places. The app replaces it all when it first draws; nothing here can be used or is
 * read out.
 */
export async function drawEarly(id: string, answer: Promise<Answer>) {
  const me = element("span", { class: composer.me }, disc(deviceStorage.getItem(id) ?? ""));
  const name = element("h1", { class: headers.name, dir: "auto" });
  const push = element("div", { class: logs.push });
  const log = element("div", { class: logs.log }, push);
  const screen = frame(name, log, me);
  emptyApp()?.append(screen);
  void painted().then(prepareClock);

  const { response } = await answer;
  // A copy: an answer can be read once, and it is the app's.
  const { emoji: face, data } = (await response.clone().json()) as Wire["Seated"];
  if (!screen.isConnected || data.members.length === 0) return;
  me.replaceChildren(disc(face));
  const signs = graphemes(withoutDirections(data.name));
  name.textContent = signs.slice(0, ROOM_NAME_SHOWN).join("");
  if (signs.length > ROOM_NAME_SHOWN) name.dataset.cut = "true";
  for (const lines of drawnLines(data.messages.map((line) => lineOf(line, face)))) {
    push.after(...lines);
    log.scrollTop = log.scrollHeight;
    await nextTask();
    if (!screen.isConnected) return;
  }
}

/** What stands in the header and comes with the app. */
type Known = { left?: string; seats?: HTMLElement[] };

export function frame(
  name: HTMLElement,
  log: HTMLElement,
  me: HTMLElement,
  { left = "\u00a0", seats = [] }: Known = {},
): HTMLElement {
  const ticket = element("p", { class: countdown.ticket }, icon("clock", 14), element("span", {}, left));
  const about = element(
    "div",
    { class: headers.about },
    name,
    element("div", { class: headers.state }, ticket),
  );
  const members = element("span", { class: toggle.toggle }, ...seats);
  const header = element(
    "div",
    { class: headers.header },
    element("span", { class: headers.back }, icon("back")),
    about,
    members,
    element("span", { class: buttons.button }, icon("more")),
  );
  const box = element(
    "div",
    { class: composer.box },
    element("div", { class: composer.field }),
    element("span", { class: `${composer.emoji} ${buttons.button}` }, icon("smile")),
    element("span", { class: buttons.button }, icon("picture")),
  );
  const send = element("span", { "aria-disabled": "true", class: composer.send }, icon("send", 24));
  return element(
    "div",
    { "aria-hidden": "true", class: screens.screen, "data-early": "", inert: "" },
    element("div", { class: screens.top }, header),
    element("div", { class: screens.main }, element("div", { class: logs.frame }, log)),
    element("div", { class: composer.composer }, element("div", { class: composer.form }, me, box, send)),
  );
}

/** The app's element, unless the app has drawn already. */
function emptyApp(): HTMLElement | undefined {
  const app = document.getElementById("app");
  return app && !app.hasChildNodes() ? app : undefined;
}
