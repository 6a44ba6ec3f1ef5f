import type { Params, RouteObject } from "react-router-dom";
import { expect, test } from "vitest";
import { PAGES, PERSONAL_TITLE } from "@/shared/contract/pages";
import { routes } from "./router";
import type { PageHandle } from "./usePageTitle";

function leaves(of: RouteObject[]): RouteObject[] {
  return of.flatMap((route) => (route.children ? leaves(route.children) : [route]));
}

async function titleOf(path: string, params: Params = {}): Promise<string | undefined> {
  const { lazy } = leaves(routes).find((route) => route.path === path) ?? {};
  if (typeof lazy !== "function") throw new Error(`${path} isn't a lazy route`);
  return ((await lazy()).handle as PageHandle | undefined)?.title(new URLSearchParams(), params);
}

/** The server names a page before any script runs; the app names it once it is there. Nobody should see the change. */
test.each(Object.entries(PAGES).filter(([path]) => path !== "/:username"))(
  "%s is called %s by both",
  async (path, title) => {
    expect(await titleOf(path)).toBe(title);
  },
);

test("somebody's page is called after them by both", async () => {
  const title = PERSONAL_TITLE.replace("{name}", "some-body");
  expect(await titleOf("/:username", { username: "some-body" })).toBe(title);
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
