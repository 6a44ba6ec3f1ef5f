import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, type RouteObject, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UnexpectedError } from "@/features/site/pages/UnexpectedError";
import { PAGES } from "@/shared/contract/pages";
import { paths } from "@/shared/paths";
import { appText } from "@/shared/text/appText";
import { text } from "@/shared/text/text";
import { routes } from "./router";

afterEach(cleanup);

beforeEach(() => {
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});

function open(pathname: string, state?: unknown, search = "") {
  render(
    <RouterProvider router={createMemoryRouter(routes, { initialEntries: [{ pathname, search, state }] })} />,
  );
}

function routePaths(of: RouteObject[] = routes): (string | undefined)[] {
  return of.flatMap((route) => (route.children ? routePaths(route.children) : [route.path]));
}

test("every path of the app is routed, once, nothing else is, and the server has a page for each", () => {
  expect(routePaths().sort()).toEqual(Object.values(paths).sort());
  expect(Object.keys(PAGES).sort()).toEqual(Object.values(paths).sort());
});

test.each(["/", "/index"])("%s is the landing page, with the header's links", async (path) => {
  open(path);
  expect(await screen.findByRole("heading", { level: 1 })).toHaveProperty(
    "textContent",
    "Say it without the name tag",
  );
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
  await waitFor(() => expect(document.title).toBe(text.landing.title));
});

test("the tour is linked from the landing page, at its head and at its foot", async () => {
  open("/");
  const [head, foot] = await screen.findAllByRole("link", { name: /tour/i });
  expect(head?.getAttribute("href")).toBe("/getstarted");
  expect(foot?.getAttribute("href")).toBe("/getstarted");
  expect(screen.getByRole("contentinfo").contains(foot ?? null)).toBe(true);
});

test("the logo is 68 by 68, is named after the product and leads home", async () => {
  open("/about");
  const logo = await screen.findByAltText("Annon");
  expect(logo.getAttribute("width")).toBe("68");
  expect(logo.getAttribute("height")).toBe("68");
  expect(logo.closest("a")?.getAttribute("href")).toBe("/homepage");
});

test.each([
  ["/about", "About us"],
  ["/blog", "Blog"],
  ["/terms", "Terms"],
  ["/privacy", "Privacy"],
  ["/expired", "Sorry, It Looks Like This Group Has Expired"],
  ["/roomfull", "Sorry, It Looks Like This Group Is Full Already"],
  ["/error", "Oops"],
])("%s is headed %s", async (path, heading) => {
  open(path);
  expect(await screen.findByRole("heading", { level: 1, name: heading })).toBeTruthy();
});

test.each([
  ["?why=locked", "This group is locked", "Group locked · Annon"],
  ["?why=kicked", "You were removed from this group", "Removed from the group · Annon"],
  ["?why=left", "You left the group", "You left the group · Annon"],
  ["?why=full", "Sorry, It Looks Like This Group Is Full Already", "Group full · Annon"],
  ["?why=constructor", "Sorry, It Looks Like This Group Is Full Already", "Group full · Annon"],
])("/roomfull%s says why there is no seat", async (search, heading, title) => {
  open("/roomfull", undefined, search);
  expect(await screen.findByRole("heading", { level: 1, name: heading })).toBeTruthy();
  await waitFor(() => expect(document.title).toBe(title));
});

test("the blog has the launch and the pre-launch post", async () => {
  open("/blog");
  await screen.findByRole("heading", { level: 1 });
  expect(screen.getAllByRole("article")).toHaveLength(2);
  expect(screen.getByText("Launch")).toBeTruthy();
  expect(screen.getByText("Pre-launch")).toBeTruthy();
});

test("the error page shows the message it was given and leads to the login", async () => {
  open("/error", { message: "No such user" });
  expect(await screen.findByText("No such user")).toBeTruthy();
  expect(screen.getByRole("link", { name: text.actions.toLogin }).getAttribute("href")).toBe("/login");
  expect(screen.queryByRole("link", { name: text.actions.retry })).toBeNull();
});

test.each([
  ["by hand", () => fireEvent.click(screen.getByRole("link", { name: text.actions.retry }))],
  ["by itself when the network is back", () => window.dispatchEvent(new Event("online"))],
])("a link that nobody answered for is tried again %s", async (_, retry) => {
  const fetchMock = vi.fn<typeof fetch>().mockRejectedValue(new TypeError("offline"));
  vi.stubGlobal("fetch", fetchMock);
  open("/wildfox");
  expect(await screen.findByText(/The server isn’t responding/)).toBeTruthy();
  expect(screen.getByRole("link", { name: text.actions.toLogin })).toBeTruthy();
  fetchMock.mockImplementation(async () => Response.json({ status: 200, message: "t" }));
  act(() => void retry());
  expect(await screen.findByRole("heading", { name: /a note to wildfox/ })).toBeTruthy();
});

test("a server in trouble hasn't said that there is nobody", async () => {
  vi.stubGlobal("fetch", async () => new Response("Bad gateway", { status: 502 }));
  open("/somebody");
  expect(await screen.findByText(appText.codes.internal)).toBeTruthy();
  expect(screen.getByRole("link", { name: text.actions.retry }).getAttribute("href")).toBe("/somebody");
});

test("a name that nobody has isn't worth another try", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ status: 404, message: "No" }, { status: 404 }));
  open("/nobody-here");
  await screen.findByRole("heading", { name: text.error.heading });
  expect(screen.queryByRole("link", { name: text.actions.retry })).toBeNull();
});

test("an address that can't be decoded is nobody's name", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.stubGlobal("fetch", async () => Response.json({ status: 404, message: "No" }, { status: 404 }));
  window.history.replaceState(null, "", "/%E0%A4%A");
  open("/%E0%A4%A");
  expect(await screen.findByRole("heading", { name: text.error.heading })).toBeTruthy();
  window.history.replaceState(null, "", "/");
});

test("an address nobody routed gets the fallback with its status", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
  open("/no/such/page");
  expect(await screen.findByRole("heading", { name: "Unexpected Application Error!" })).toBeTruthy();
  expect(screen.getByText("404 Not Found")).toBeTruthy();
});

test("a page that breaks gets the fallback with its message and a stack trace", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const broken = () => {
    throw new Error("the page broke");
  };
  const router = createMemoryRouter([
    { ErrorBoundary: UnexpectedError, children: [{ path: "/", Component: broken }] },
  ]);
  render(<RouterProvider router={router} />);
  expect(await screen.findByText("the page broke")).toBeTruthy();
  expect(screen.getByRole("region", { name: text.unexpected.stack }).textContent).toContain("at ");
});
