import { beforeEach, expect, test, vi } from "vitest";
import { cacheAccount, cachedAccount, forgetSession, keepToken, token } from "./session";

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

test("a cache that isn't ours counts as none", () => {
  // biome-ignore lint/suspicious/noDocumentCookie: a foreign value is put there on purpose
  document.cookie = "_cache_=%7Bbroken";
  expect(cachedAccount()).toBeUndefined();
});

test("cookies last two hours, stay on this site, and need https where there is https", () => {
  const written = vi.spyOn(document, "cookie", "set");
  keepToken("t");
  expect(written).toHaveBeenCalledWith("annon_token=t; Path=/; Max-Age=7200; SameSite=Lax");
  vi.stubGlobal("location", { protocol: "https:" });
  cacheAccount({ user: { username: "somebody", email: "a@b.example" } });
  expect(written.mock.lastCall?.[0]).toMatch(/^_cache_=.+; Path=\/; Max-Age=7200; SameSite=Lax; Secure$/);
});
