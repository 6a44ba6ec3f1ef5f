import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { createMemoryRouter, type Params, type RouteObject, RouterProvider } from "react-router-dom";
import { beforeEach, expect, test, vi } from "vitest";
import { ANSWER_TITLE, PAGES, PERSONAL_TITLE, paths } from "@/shared/contract/pages";
import { appText } from "@/shared/text/appText";
import { text } from "@/shared/text/text";
import { routes } from "./router";
import type { PageHandle } from "./usePageTitle";

beforeEach(() => {
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});

function open(pathname: string, state?: unknown, search = "") {
  render(
    <RouterProvider router={createMemoryRouter(routes, { initialEntries: [{ pathname, search, state }] })} />,
  );
}

function leaves(of: RouteObject[] = routes): RouteObject[] {
  return of.flatMap((route) => (route.children ? leaves(route.children) : [route]));
}

async function titleOf(path: string, params: Params = {}): Promise<string | undefined> {
  const { lazy } = leaves().find((route) => route.path === path) ?? {};
  if (typeof lazy !== "function") throw new Error(`${path} isn't a lazy route`);
  return ((await lazy()).handle as PageHandle | undefined)?.title(new URLSearchParams(), params);
}

const retry = () => screen.queryByRole("link", { name: text.actions.retry });

test("every page is routed, once, and nothing else is", () => {
  const routed = leaves().map(({ path }) => path);
  // What is nowhere has a page of its own.
  expect(routed.sort()).toEqual([...Object.values(paths), "*"].sort());
});

/** The server sets a page's title before any script runs, and the app sets it again. Both have to be the same. */
test.each(Object.entries(PAGES).filter(([path]) => !path.startsWith("/:username")))(
  "%s is called %s by both",
  async (path, title) => {
    expect(await titleOf(path)).toBe(title);
  },
);

test("somebody's page is called after them by both", async () => {
  const title = PERSONAL_TITLE.replace("{name}", "some-body");
  expect(await titleOf("/:username", { username: "some-body" })).toBe(title);
  const ofAnswer = ANSWER_TITLE.replace("{name}", "some-body");
  expect(await titleOf(paths.answer, { username: "some-body" })).toBe(ofAnswer);
});

test.each([
  ["", "Home"],
  ["tab=inbox", "Inbox"],
  ["tab=groups", "Groups"],
  ["tab=constructor", "Home"],
])("the home's tab ?%s is called %s", async (search, title) => {
  const { handle } = await import("./routes/home");
  expect(handle.title(new URLSearchParams(search), {})).toBe(title);
});

/** The styles hide it while the server's page is there, or they would see a form that isn't for them. */
test.each(["/login", "/signup", "/some-body"])(
  "what %s shows to strangers is marked for those who are signed in",
  async (path) => {
    vi.stubGlobal("fetch", () => new Promise(() => {}));
    open(path);
    await waitFor(() => expect(document.querySelector("main")?.dataset.stranger).toBe("true"));
  },
);

test.each(["/", "/index"])("%s is the landing page, with the header's links and the logo", async (path) => {
  open(path);
  await screen.findByRole("heading", { level: 1, name: "Say it without the name tag" });
  const header = screen.getByRole("navigation", { name: text.header.label });
  const links = [...header.querySelectorAll("a")].map((link) => [
    link.textContent,
    link.getAttribute("href"),
  ]);
  expect(links).toEqual([
    ["Blog", "/blog"],
    ["About us", "/about"],
    ["Feedback", "/feedback"],
    ["Sign in", "/login"],
    ["Sign Up", "/signup"],
  ]);
  const tours = screen.getAllByRole("link", { name: /tour/i }).map((link) => link.getAttribute("href"));
  expect(tours).toEqual(["/getstarted", "/getstarted"]);
  const logo = screen.getByAltText("Annon");
  expect(["width", "height"].map((side) => logo.getAttribute(side))).toEqual(["68", "68"]);
  expect(logo.closest("a")?.getAttribute("href")).toBe("/homepage");
  for (const name of [
    /^A note, your answer and what comes back/,
    /^A note as an image/,
    /^A sample group chat/,
  ])
    expect(screen.getByRole("img", { name }).textContent).not.toBe("");
});

test.each([
  ["", "Sorry, It Looks Like This Group Is Full Already", "Group full · Annon"],
  ["?why=locked", "This group is locked", "Group locked · Annon"],
  ["?why=kicked", "You were removed from this group", "Removed from the group · Annon"],
  ["?why=left", "You left the group", "You left the group · Annon"],
  ["?why=deleted", "The creator has deleted this group", "Group deleted · Annon"],
  ["?why=constructor", "Sorry, It Looks Like This Group Is Full Already", "Group full · Annon"],
])("/roomfull%s says why there is no seat", async (search, heading, title) => {
  open("/roomfull", undefined, search);
  expect(await screen.findByRole("heading", { level: 1, name: heading })).toBeTruthy();
  await waitFor(() => expect(document.title).toBe(title));
});

test("the error page shows the message it was given and leads to the login", async () => {
  open("/error", { message: "No such user" });
  expect(await screen.findByText("No such user")).toBeTruthy();
  expect(screen.getByRole("link", { name: text.actions.toLogin }).getAttribute("href")).toBe("/login");
  expect(retry()).toBeNull();
});

test.each([
  ["by hand", () => fireEvent.click(retry() as HTMLElement)],
  ["by itself when the network is back", () => window.dispatchEvent(new Event("online"))],
])("a link that nobody answered for is tried again %s", async (_, again) => {
  const fetchMock = vi.fn<typeof fetch>().mockRejectedValue(new TypeError("offline"));
  vi.stubGlobal("fetch", fetchMock);
  open("/wildfox");
  expect(await screen.findByText(/The server isn’t responding/)).toBeTruthy();
  const page = { message: "t", line: "Hi there", prompts: [], only_for_you: false, paused: false };
  fetchMock.mockImplementation(async () => Response.json({ status: 200, ...page }));
  // The page is on the screen before it listens.
  await waitFor(() => {
    if (retry()) act(() => void again());
    expect(screen.getByRole("heading", { name: /a note to wildfox/ })).toBeTruthy();
  });
  expect(await screen.findByText("Hi there")).toBeTruthy();
});

test.each([
  ["a server in trouble hasn't said that there is nobody", "/somebody", 502, appText.codes.internal],
  [
    "a name that nobody has is named, and can be tried again",
    "/nobody-here",
    404,
    appText.codes.no_such_person,
  ],
  ["an address that can't be decoded is nobody's name", "/%E0%A4%A", 404, appText.codes.no_such_person],
])("%s", async (_, path, status, words) => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.stubGlobal("fetch", async () => new Response("", { status }));
  window.history.replaceState(null, "", path);
  open(path);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(retry()?.getAttribute("href")).toBe(path.includes("%") ? encodeURI(path) : path);
  expect(screen.getByText(path.slice(1))).toBeTruthy();
  window.history.replaceState(null, "", "/");
});

test.each(["/no/such/page", "/room/nonsense"])(
  "the mistyped address %s is no error, and has ways out",
  async (path) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    open(path);
    expect(await screen.findByRole("heading", { level: 1, name: "Page not found" })).toBeTruthy();
    expect(screen.queryByText(/error/i)).toBeNull();
    const main = within(screen.getByRole("main"));
    const ways = main.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
    expect(ways).toEqual([
      [text.actions.toStart, "/"],
      [text.actions.signIn, "/login"],
    ]);
    // React writes it after the page is drawn.
    await waitFor(() => expect(document.title).toContain("Page not found"));
  },
);

test("an answer that no page expects gets the fallback with its status", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const loader = () => {
    throw new Response("", { status: 503, statusText: "Service Unavailable" });
  };
  const router = createMemoryRouter([
    { ...routes[0], children: [{ path: "/", loader, Component: () => null }] },
  ] as RouteObject[]);
  render(<RouterProvider router={router} />);
  expect(await screen.findByRole("heading", { name: "Unexpected Application Error!" })).toBeTruthy();
  expect(screen.getByText("503 Service Unavailable")).toBeTruthy();
});

test("a page that breaks gets the fallback with its message and a stack trace", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const broken = () => {
    throw new Error("the page broke");
  };
  const router = createMemoryRouter([
    { ...routes[0], children: [{ path: "/", Component: broken }] },
  ] as RouteObject[]);
  render(<RouterProvider router={router} />);
  expect(await screen.findByText("the page broke")).toBeTruthy();
  expect(screen.getByRole("region", { name: text.unexpected.stack }).textContent).toContain("at ");
});
