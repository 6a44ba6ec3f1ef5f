import { beforeEach, expect, test, vi } from "vitest";
import { api } from "./api";
import { ApiFailure } from "./client";

const fetchMock = vi.fn<typeof fetch>();

beforeEach(() => {
  fetchMock.mockImplementation(async () => Response.json({ status: 200, message: "target" }));
  vi.stubGlobal("fetch", fetchMock);
});

function sent() {
  const [url, init] = fetchMock.mock.lastCall ?? [];
  return { url, init, headers: new Headers(init?.headers) };
}

test("an address has its parameters filled in, whatever is in them", async () => {
  await api("get", "/api/annon/{username}", { params: { username: "a/b c" } });
  expect(sent().url).toBe("/api/annon/a%2Fb%20c");
  await api("get", "/api/messages", { query: { before: "x", limit: 20 } });
  expect(sent().url).toBe("/api/messages?before=x&limit=20");
  await api("get", "/api/messages", { query: { before: undefined } });
  expect(sent().url).toBe("/api/messages");
});

test("a call carries no cookie, and only what it is given", async () => {
  const target = api("get", "/api/annon/{username}", { params: { username: "somebody" } });
  await expect(target).resolves.toEqual({ status: 200, message: "target" });
  expect(sent().url).toBe("/api/annon/somebody");
  expect(sent().init).toMatchObject({ method: "GET", credentials: "omit", body: null });
  expect(sent().headers.has("Authorization")).toBe(false);

  await api("delete", "/api/message/{id}", { params: { id: "n1" }, token: "abc" });
  expect(sent().url).toBe("/api/message/n1");
  expect(sent().init).toMatchObject({ method: "DELETE", credentials: "omit" });
  expect(sent().headers.get("Authorization")).toBe("Bearer abc");

  await api("post", "/api/login", { json: { email_or_username: "e", password: "p" } });
  expect(sent().headers.get("Content-Type")).toBe("application/json");
  expect(sent().init?.body).toBe('{"email_or_username":"e","password":"p"}');

  const form = new FormData();
  await api("post", "/api/feedback", { form });
  expect(sent().headers.has("Content-Type")).toBe(false);
  expect(sent().init?.body).toBe(form);
});

test("a call tells the language chosen in the app, not what the browser speaks", async () => {
  Object.assign(document.documentElement, { lang: "de" }).dataset.drawn = "";
  await api("post", "/api/password-reset", { json: { email: "" } });
  expect(sent().headers.get("Accept-Language")).toBe("de");
  delete document.documentElement.dataset.drawn;
});

test("only a seat's call sends the cookie, and the seat that a page carries", async () => {
  await api("get", "/api/room-emoji/{id}", { params: { id: "1" }, seat: { "annon-seat": "x" } });
  expect(sent().init?.credentials).toBe("same-origin");
  expect(sent().headers.get("Annon-Seat")).toBe("x");
});

const broken = () => new ReadableStream({ start: (stream) => stream.error(new TypeError("aborted")) });

test.each([
  ["a refusal", async () => Response.json({ message: "incorrect password!" }, { status: 403 }), 403],
  ["an answer that isn't the server's own", async () => new Response("<h1>No</h1>", { status: 502 }), 502],
  ["an answer that breaks off", async () => new Response(broken(), { status: 200 }), 0],
  ["no network", async () => Promise.reject(new TypeError("Failed to fetch")), 0],
])("%s is a failure, with the server's sentence if it has one", async (_, answer, status) => {
  fetchMock.mockImplementation(answer);
  const failure = await api("get", "/api/rooms", {}).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiFailure);
  expect(failure).toMatchObject({ status, message: status === 403 ? "incorrect password!" : "" });
});
