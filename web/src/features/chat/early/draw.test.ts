import { beforeEach, expect, test } from "vitest";
import type { Wire } from "@/shared/api/api";
import { tokens } from "@/shared/richText/tokens";
import { withoutOverrides } from "@/shared/text/directions";
import type { ChatFrame } from "../frames";
import { CORPUS } from "../testing/corpus";
import { noticeFrame } from "../testing/noticeFrame";
import type { Answer } from "./ask";
import { drawEarly } from "./draw";
import { DRAWN } from "./lines";

const ROOM = "7c1f5a3e-52c5-4bc1-9d0b-6a2f8a7f0001";

beforeEach(() => {
  localStorage.clear();
  document.body.innerHTML = '<div id="app"></div>';
});

const app = () => document.getElementById("app") as HTMLElement;

function chat(
  seq: number,
  sender: string,
  message: string,
  more: Partial<ChatFrame> = {},
): Wire["LineFrame"] {
  return {
    event: "event.chat",
    id: `id${seq}`,
    seq,
    sender,
    message,
    caption: "",
    time: "10:00:00.000",
    ...more,
  } as Wire["LineFrame"];
}

async function answer(
  messages: Wire["LineFrame"][],
  members = ["🦊"],
  name = "midnight tacos",
): Promise<Answer> {
  const data = { id: ROOM, name, members, messages };
  return { response: Response.json({ status: 200, emoji: "🦊", data }), halfway: 0 };
}

/** Looks between any two tasks and before them. */
async function until(isThere: () => boolean) {
  while (!isThere()) await Promise.resolve();
}

test("the frame is there before the answer, and can't be used or read out", async () => {
  localStorage.setItem(ROOM, "🐙");
  const drawing = drawEarly(ROOM, answer([]));
  const screen = app().firstElementChild;
  expect(screen?.getAttribute("aria-hidden")).toBe("true");
  expect(screen?.hasAttribute("inert")).toBe(true);
  expect(screen?.textContent).toContain("🐙");
  await drawing;
  expect(screen?.textContent).toContain("🦊");
  expect(screen?.textContent).toContain("midnight tacos");
});

test("lines stand as the app draws them: heaped by sender, with their faces, pictures and quotes", async () => {
  const frames = [
    noticeFrame(2, "🐙 joined"),
    chat(3, "🐙", "one"),
    chat(4, "🐙", "two", { reply: ["🦊", "before", 1, ""] }),
    chat(5, "🦊", "🌮"),
    chat(6, "🐙", "", { image_src: "/api/x", image_size: [200, 100] }),
    chat(7, "🐙", "", { unsent: true }),
  ];
  await drawEarly(ROOM, answer(frames));
  const rows = [...app().querySelectorAll("article")];
  expect(rows.map(({ dataset }) => [dataset.first, dataset.last, dataset.mine].map(Boolean))).toEqual([
    [true, false, false],
    [false, true, false],
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ]);
  expect(rows[1]?.textContent).toContain("before");
  expect(rows[2]?.querySelector("[data-emoji=single]")?.textContent).toBe("🌮");
  expect(rows[3]?.querySelector<HTMLElement>("[data-picture]")?.style.getPropertyValue("--ratio")).toBe("2");
  expect(app().textContent).toContain("🐙 joined");
  // Pictures have their place; they are fetched by the app, once.
  expect(app().querySelector("img")).toBeNull();
});

test("who reads another language sees no English meanwhile", async () => {
  localStorage.setItem("language", "de");
  await drawEarly(ROOM, answer([noticeFrame(2, "🐙 joined")]));
  expect(app().textContent).toContain("🐙");
  expect(app().textContent).not.toContain("joined");
});

test("a stranger's words are never anything else", async () => {
  const said = CORPUS.map((words, at) => chat(at + 2, words, words, { caption: words }));
  // As many as are drawn at a time.
  for (let from = 0; from < said.length; from += DRAWN) {
    document.body.innerHTML = '<div id="app"></div>';
    const frames = said.slice(from, from + DRAWN);
    await drawEarly(ROOM, answer(frames, ["🦊"], CORPUS[from]));
    expect(app().querySelectorAll("article")).toHaveLength(frames.length);
    const words = [...app().querySelectorAll("[data-emoji]")].map(({ textContent }) => textContent);
    const shown = (said: string) =>
      tokens(withoutOverrides(said))
        .map(({ text }) => text)
        .join("");
    expect(words).toEqual(
      CORPUS.slice(from, from + DRAWN)
        .filter((word) => word !== "")
        .map(shown),
    );
    expect(
      app().querySelector("a, img, script, iframe, object, style, b, [onerror], [href], [src]"),
    ).toBeNull();
  }
});

test("a name turns nothing round, and an address is apart from the words around it", async () => {
  const words = "\u202ehttps://evil.example/moc.knab.www//:sptth";
  await drawEarly(ROOM, answer([chat(2, "🐙", words)], ["🦊"], "\u202emoc.knab"));
  expect(app().querySelector("h1")?.textContent).toBe("moc.knab");
  const address = app().querySelector("[data-emoji] > [dir=ltr]");
  expect(address?.textContent).toBe("https://evil.example/moc.knab.www//:sptth");
});

test("who is not seated after all, and an app that was faster, see nothing of it", async () => {
  await drawEarly(ROOM, answer([chat(2, "🐙", "one")], []));
  expect(app().querySelector("article")).toBeNull();

  app().replaceChildren("the app");
  await drawEarly(ROOM, answer([chat(2, "🐙", "one")]));
  expect(app().textContent).toBe("the app");
});

test("the newest lines come first, and the older ones above them in tasks of their own", async () => {
  const said = Array.from({ length: DRAWN + 5 }, (_, at) => chat(at + 2, "🐙", `line ${at}`));
  const drawing = drawEarly(ROOM, answer(said));
  const drawn = () => [...app().querySelectorAll("[data-emoji]")].map(({ textContent }) => textContent);
  await until(() => drawn().length > 0);
  const atFirst = drawn();
  expect(atFirst.length).toBeLessThan(DRAWN);
  expect(atFirst).toEqual(said.slice(-atFirst.length).map(({ message }) => message));
  await drawing;
  expect(drawn()).toEqual(said.slice(-DRAWN).map(({ message }) => message));
});

test("nothing more is drawn when the app comes in between", async () => {
  const said = Array.from({ length: DRAWN }, (_, at) => chat(at + 2, "🐙", `line ${at}`));
  const drawing = drawEarly(ROOM, answer(said));
  await until(() => app().querySelector("article") !== null);
  const screen = app().firstElementChild;
  const before = screen?.querySelectorAll("article").length;
  app().replaceChildren("the app");
  await drawing;
  expect(screen?.querySelectorAll("article").length).toBe(before);
});

test("a screen the app has replaced meanwhile stays replaced", async () => {
  const drawing = drawEarly(ROOM, answer([chat(2, "🐙", "one")]));
  app().replaceChildren("the app");
  await drawing;
  expect(app().textContent).toBe("the app");
});
