import { beforeEach, expect, test, vi } from "vitest";
import {
  cacheAccount,
  cachedAccount,
  forgetSession,
  keepToken,
  readCookie,
  token,
  writeCookie,
} from "./session";

beforeEach(forgetSession);

test("the token is kept until the session is forgotten", () => {
  expect(token()).toBeUndefined();
  keepToken("a.b-c_d");
  expect(token()).toBe("a.b-c_d");
  forgetSession();
  expect(token()).toBeUndefined();
});

test("the account is cached, also with signs a cookie can't hold", () => {
  cacheAccount({ user: { username: "some-body", email: "a;b=c@d.example" } });
  expect(cachedAccount()).toEqual({ user: { username: "some-body", email: "a;b=c@d.example" } });
  forgetSession();
  expect(cachedAccount()).toBeUndefined();
});

test("forgetting the session takes the groups' cookies along and nothing else", () => {
  const room = "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11";
  writeCookie(room, "some-body", 60);
  writeCookie("somebody-elses", "x", 60);
  forgetSession();
  expect(readCookie(room)).toBeFalsy();
  expect(readCookie("somebody-elses")).toBe("x");
});

test("a cache that isn't ours counts as none", () => {
  // biome-ignore lint/suspicious/noDocumentCookie: a foreign value is put there on purpose
  document.cookie = "_cache_=%7Bbroken";
  expect(cachedAccount()).toBeUndefined();
});

test("a cookie that can't be decoded isn't ours, and keeps ours from nobody", () => {
  const jar = vi
    .spyOn(document, "cookie", "get")
    .mockReturnValue("annon_token=100%; _cache_=%E0%A4%A; theirs=%");
  expect(token()).toBeUndefined();
  expect(cachedAccount()).toBeUndefined();
  jar.mockReturnValue("theirs=%; annon_token=%zz; annon_token=a.b-c_d");
  expect(token()).toBe("a.b-c_d");
});

test("cookies last two hours, stay on this site, and need https where there is https", () => {
  const written = vi.spyOn(document, "cookie", "set");
  keepToken("t");
  expect(written).toHaveBeenCalledWith("annon_token=t; Path=/; Max-Age=7200; SameSite=Lax");
  vi.stubGlobal("location", { protocol: "https:" });
  cacheAccount({ user: { username: "somebody", email: "a@b.example" } });
  expect(written.mock.lastCall?.[0]).toMatch(/^_cache_=.+; Path=\/; Max-Age=7200; SameSite=Lax; Secure$/);
});
