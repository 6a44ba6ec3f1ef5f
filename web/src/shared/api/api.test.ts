import { beforeEach, expect, test, vi } from "vitest";
import { addressOf, api } from "./api";

const fetchMock = vi.fn<typeof fetch>();

beforeEach(() => {
  fetchMock.mockReset();
  fetchMock.mockImplementation(async () => Response.json({ status: 200, message: 3 }));
  vi.stubGlobal("fetch", fetchMock);
});

test("an address has its parameters filled in, whatever is in them", () => {
  expect(addressOf("/api/annon/{username}", { username: "a/b c" })).toBe("/annon/a%2Fb%20c");
  expect(addressOf("/api/messages", {}, { before: "x", limit: 20 })).toBe("/messages?before=x&limit=20");
  expect(addressOf("/api/messages", {}, { before: undefined })).toBe("/messages");
});

test("a typed call goes out with method, address and token", async () => {
  const answer = await api("delete", "/api/message/{id}", { params: { id: "n1" }, token: "t" });
  expect(answer.message).toBe(3);
  const [url, init] = fetchMock.mock.calls[0] ?? [];
  expect(url).toBe("/api/message/n1");
  expect(init?.method).toBe("DELETE");
  expect(new Headers(init?.headers).get("Authorization")).toBe("Bearer t");
});
