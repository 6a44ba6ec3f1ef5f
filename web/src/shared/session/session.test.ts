import { beforeEach, expect, test, vi } from "vitest";
import { readCookies, writeCookie } from "./cookies";
import {
  cacheAccount,
  cachedAccount,
  creatorOf,
  forgetSession,
  keepCreator,
  keepToken,
  token,
} from "./session";

const ROOM = "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11";
const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzb21lLWJvZHkifQ.c2lnbmF0dXJl";
const ACCOUNT = { user: { username: "some-body", email: "a;b=c@d.example" } };

beforeEach(() => {
  localStorage.clear();
  forgetSession();
});

test("the token is kept until the session is forgotten", () => {
  expect(token()).toBeUndefined();
  expect(keepToken("a.b-c_d")).toBe("kept");
  expect(token()).toBe("a.b-c_d");
  forgetSession();
  expect(token()).toBeUndefined();
});

test("the account is cached, also with signs a cookie can't hold", () => {
  cacheAccount(ACCOUNT);
  expect(cachedAccount()).toEqual(ACCOUNT);
  forgetSession();
  expect(cachedAccount()).toBeUndefined();
});

test("what was made or listed here is known to be one's own", () => {
  keepCreator(ROOM, "some-body");
  expect(creatorOf(ROOM)).toBe("some-body");
});

test("forgetting the session takes the groups' cookies and every other share along, and nothing else", () => {
  keepToken(JWT);
  cacheAccount(ACCOUNT);
  keepCreator(ROOM, "some-body");
  writeCookie("somebody-elses", "x", 60);
  forgetSession();
  expect(creatorOf(ROOM)).toBeUndefined();
  expect(readCookies("somebody-elses")).toEqual(["x"]);
  expect(document.cookie).not.toMatch(/annon_token=.|_cache_=.|6f1c1c58/);
  expect(Object.keys(localStorage)).toEqual([]);
});

test("a cache that isn't ours counts as none", () => {
  // biome-ignore lint/suspicious/noDocumentCookie: a foreign value is put there on purpose
  document.cookie = "_cache_=%7Bbroken";
  expect(cachedAccount()).toBeUndefined();
});

test("a cookie that can't be decoded isn't ours, and keeps ours from nobody", () => {
  keepToken(JWT);
  const ours = document.cookie;
  const jar = vi.spyOn(document, "cookie", "get");
  jar.mockReturnValue("annon_token=100%; _cache_=%E0%A4%A; theirs=%");
  expect(cachedAccount()).toBeUndefined();
  jar.mockReturnValue(`theirs=%; annon_token=%zz; annon_token=theirs; ${ours}`);
  expect(token()).toBe(JWT);
});

test("cookies last two hours, stay on this site, and need https where there is https", () => {
  const written = vi.spyOn(document, "cookie", "set");
  keepToken("t");
  expect(written.mock.lastCall?.[0]).toMatch(/^annon_token=[\w-]+; Path=\/; Max-Age=7200; SameSite=Lax$/);
  vi.stubGlobal("location", { protocol: "https:" });
  cacheAccount({ user: { username: "somebody", email: "a@b.example" } });
  const cached = written.mock.calls
    .map(([cookie]) => cookie)
    .find((cookie) => cookie.startsWith("_cache_=."));
  expect(cached ?? written.mock.calls.at(-1)?.[0]).toMatch(/Path=\/; Max-Age=\d+; SameSite=Lax; Secure$/);
});
