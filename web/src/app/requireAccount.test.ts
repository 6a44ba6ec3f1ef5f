import { beforeEach, expect, test, vi } from "vitest";
import { cacheAccount, cachedAccount, forgetSession, keepToken } from "@/shared/session/session";
import { requireAccount } from "./requireAccount";

/** The address is not confirmed, so the server is asked whether it is now. */
const user = { username: "some-body", email: "some@body.example", email_confirmed: false };

const open = () =>
  requireAccount({ request: new Request("http://annon.example/homepage"), params: {} } as never);

beforeEach(() => {
  forgetSession();
  keepToken("token");
  cacheAccount({ user });
});

test.each([
  ["no answer", () => Promise.reject(new TypeError("offline"))],
  ["a server in trouble", async () => new Response("", { status: 502 })],
])("%s: who was signed in reads what this device has kept", async (_, fetch) => {
  vi.stubGlobal("fetch", fetch);
  expect(await open()).toEqual(user);
  expect(cachedAccount()).toEqual({ user });
});

test("a sign-in that has ended leads to the login", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ status: 401, message: "" }, { status: 401 }));
  await expect(open()).rejects.toHaveProperty("status", 302);
  expect(cachedAccount()).toBeUndefined();
});

test("without a sign-in, what was kept of the inbox goes", async () => {
  forgetSession();
  const deleteDatabase = vi.fn();
  vi.stubGlobal("indexedDB", { deleteDatabase });
  await expect(open()).rejects.toHaveProperty("status", 302);
  expect(deleteDatabase).toHaveBeenCalledWith("annon-inbox");
});
