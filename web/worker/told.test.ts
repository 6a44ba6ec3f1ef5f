// @vitest-environment node
import { expect, test } from "vitest";
import { pageAt, shownOf } from "./told";

const HERE = new URL("https://annon.example/sw.js");
const NOTE = {
  title: "Annon",
  body: "Somebody left you a note",
  lang: "en",
  tag: "note",
  navigate: "https://annon.example/homepage?tab=inbox",
};

test("a message says what is shown and which page it leads to", () => {
  const { navigate, ...words } = NOTE;
  expect(shownOf({ web_push: 8030, notification: NOTE }, HERE, "de")).toEqual({ ...words, page: navigate });
});

test("whatever comes, something is shown", () => {
  const shown = {
    title: "annon.example",
    body: "Es gibt etwas Neues",
    lang: "de",
    tag: "",
    page: "https://annon.example/",
  };
  for (const message of [
    undefined,
    null,
    "words",
    {},
    { notification: null },
    { notification: { title: "A" } },
  ])
    expect(shownOf(message, HERE, "de-AT")).toEqual(shown);
  expect(shownOf({ notification: { ...NOTE, body: "" } }, HERE, "fr").body).toBe("There’s something new");
});

test("it leads to no other site", () => {
  for (const navigate of ["https://annon.example.evil.example/", "javascript:alert(1)", "//evil.example", 7])
    expect(shownOf({ notification: { ...NOTE, navigate } }, HERE, "en").page).toBe("https://annon.example/");
});

test("a click finds the page that is open", () => {
  const pages = ["/", "/homepage?tab=inbox", "/conversation/a#key"].map((path) => ({
    url: `https://annon.example${path}`,
  }));
  expect(pageAt(pages, "https://annon.example/conversation/a")).toBe(pages[2]);
  expect(pageAt(pages, "https://annon.example/homepage")).toBeUndefined();
});
