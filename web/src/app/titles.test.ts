import { readFileSync } from "node:fs";
import type { Params, RouteObject } from "react-router-dom";
import { expect, test } from "vitest";
import { site } from "@/shared/text/en/site";
import { routes } from "./router";
import type { PageHandle } from "./usePageTitle";

/** The server names a page before any script runs; the app names it once it is there. Nobody should see the change. */
const SERVER = readFileSync("../src/http/site/page.rs", "utf8");

const product = SERVER.match(/const PRODUCT: &str = "([^"]+)"/)?.[1];
const pages = [...SERVER.matchAll(/\b(?:open|private)\(\s*"([^"]+)",\s*[A-Z_]+,\s*(PRODUCT|"[^"]+")/g)].map(
  ([, path, title]) => [path ?? "", title === "PRODUCT" ? product : title?.slice(1, -1)] as const,
);

function leaves(of: RouteObject[]): RouteObject[] {
  return of.flatMap((route) => (route.children ? leaves(route.children) : [route]));
}

async function titleOf(path: string, params: Params = {}): Promise<string | undefined> {
  const { lazy } = leaves(routes).find((route) => route.path === path) ?? {};
  if (typeof lazy !== "function") throw new Error(`${path} isn't a lazy route`);
  return ((await lazy()).handle as PageHandle | undefined)?.title(new URLSearchParams(), params);
}

test("the server's table was read", () => {
  expect(pages).toHaveLength(21);
  expect(product).toBe(site.landing.title);
});

test.each(pages.filter(([path]) => path !== "/:username"))("%s is called %s by both", async (path, title) => {
  expect(await titleOf(path)).toBe(title);
});

test("somebody's page is called after them by both", async () => {
  const site = readFileSync("../src/http/site.rs", "utf8");
  const pattern = site.match(/let title = format!\("([^"]+)"\)/)?.[1];
  expect(await titleOf("/:username", { username: "some-body" })).toBe(
    pattern?.replace("{name}", "some-body"),
  );
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
