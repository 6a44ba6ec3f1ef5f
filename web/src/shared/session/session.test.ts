import { beforeEach, describe, expect, test, vi } from "vitest";
import { ApiFailure } from "@/shared/api/client";
import { TOKEN_LIFETIME_SECONDS } from "@/shared/contract/limits";
import { readCookies, writeCookie } from "./cookies";
import { forgetOthersInboxKey, noteInboxKeyOf } from "./inboxKeyOf";
import {
  cacheAccount,
  cachedAccount,
  creatorOf,
  forgetSession,
  keepCreator,
  keepToken,
  token,
} from "./session";
import { signInAgain } from "./signInAgain";

const ROOM = "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11";
const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzb21lLWJvZHkifQ.c2lnbmF0dXJl";
const ACCOUNT = { user: { username: "some-body", email: "a;b=c@d.example" } };

beforeEach(() => {
  localStorage.clear();
  forgetSession();
});

test("forgetting the session takes the groups' cookies and every other share along, and nothing else", () => {
  keepToken(JWT);
  cacheAccount(ACCOUNT);
  keepCreator(ROOM, "some-body");
  writeCookie("somebody-elses", "x", 60);
  expect([token(), cachedAccount(), creatorOf(ROOM)]).toEqual([JWT, ACCOUNT, "some-body"]);
  forgetSession();
  expect(creatorOf(ROOM)).toBeUndefined();
  expect(readCookies("somebody-elses")).toEqual(["x"]);
  expect(document.cookie).not.toMatch(/annon_token=.|_cache_=.|6f1c1c58/);
  expect(Object.keys(localStorage)).toEqual([]);
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

test("where there is https, cookies need it", () => {
  const written = vi.spyOn(document, "cookie", "set");
  vi.stubGlobal("location", { protocol: "https:" });
  keepToken("t");
  expect(written.mock.calls[0]?.[0]).toMatch(/; Path=\/; Max-Age=7140; SameSite=Lax; Secure$/);
});

describe("the key of a sealed inbox", () => {
  const deleteDatabase = vi.fn();
  const forgets = () => deleteDatabase.mock.calls.flat().includes("annon-inbox-keys");

  beforeEach(() => {
    vi.stubGlobal("indexedDB", { deleteDatabase });
    keepToken(JWT);
    noteInboxKeyOf("some-body");
  });

  test("goes with the sign-in that somebody ends here", () => {
    forgetSession();
    expect(forgets()).toBe(true);
  });

  test("goes with the sign-in that was ended elsewhere", () => {
    signInAgain(new ApiFailure(401));
    expect(forgets()).toBe(true);
  });

  test("stays if the sign-in has lapsed, since its cookie has by then, and for the same account", () => {
    const written = vi.spyOn(document, "cookie", "set");
    keepToken(JWT);
    const lasts = Number(/Max-Age=(\d+)/.exec(written.mock.calls[0]?.[0] ?? "")?.[1]);
    expect(lasts).toBeLessThan(TOKEN_LIFETIME_SECONDS);
    writeCookie("annon_token", "", -1);
    signInAgain(new ApiFailure(401));
    forgetOthersInboxKey("some-body");
    expect(forgets()).toBe(false);
  });

  test("goes when somebody else signs in", () => {
    forgetSession(true);
    expect(forgets()).toBe(false);
    forgetOthersInboxKey("another");
    expect(forgets()).toBe(true);
  });
});
