import { beforeEach, expect, test, vi } from "vitest";
import { ApiFailure, call } from "./client";

const fetchMock = vi.fn<typeof fetch>();

beforeEach(() => {
  fetchMock.mockReset();
  vi.stubGlobal("fetch", fetchMock);
});

function answer(status: number, body: unknown) {
  fetchMock.mockResolvedValue(Response.json(body, { status }));
}

function sent() {
  const [url, init] = fetchMock.mock.calls[0] ?? [];
  return { url, init, headers: new Headers(init?.headers) };
}

test("an anonymous call goes to /api, carries no cookie and no token", async () => {
  answer(200, { status: 200, message: "target" });
  await expect(call("/annon/somebody")).resolves.toEqual({ status: 200, message: "target" });
  expect(sent().url).toBe("/api/annon/somebody");
  expect(sent().init).toMatchObject({ method: "GET", credentials: "omit", body: null });
  expect(sent().headers.has("Authorization")).toBe(false);
});

test("a call tells the language chosen in the app, not what the browser speaks", async () => {
  localStorage.setItem("language", "de");
  answer(200, { status: 200 });
  await call("/password-reset", { method: "POST", json: {} });
  expect(sent().headers.get("Accept-Language")).toBe("de");
  localStorage.clear();
});

test("a signed-in call carries its token as bearer, and still no cookie", async () => {
  answer(200, { status: 200 });
  await call("/dashboard", { token: "abc" });
  expect(sent().headers.get("Authorization")).toBe("Bearer abc");
  expect(sent().init?.credentials).toBe("omit");
});

test("only a seat's call sends the cookie, and the seat that a page carries", async () => {
  answer(200, "🦊");
  await expect(call("/room-emoji/1", { seat: { "annon-seat": "x" } })).resolves.toBe("🦊");
  expect(sent().init?.credentials).toBe("same-origin");
  expect(sent().headers.get("Annon-Seat")).toBe("x");
});

test("json is sent as JSON, a form as it is, without a type of our own", async () => {
  answer(201, { status: 201 });
  await call("/login", { method: "POST", json: { password: "p" } });
  expect(sent().headers.get("Content-Type")).toBe("application/json");
  expect(sent().init?.body).toBe('{"password":"p"}');

  fetchMock.mockClear();
  answer(201, { status: 201 });
  const form = new FormData();
  await call("/feedback", { method: "POST", form });
  expect(sent().headers.has("Content-Type")).toBe(false);
  expect(sent().init?.body).toBe(form);
});

test("a refusal throws the server's status and sentence", async () => {
  answer(403, { status: 403, message: "incorrect password!" });
  const failure = await call("/user/delete", { method: "DELETE" }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiFailure);
  expect(failure).toMatchObject({ status: 403, message: "incorrect password!" });
});

test("an answer that isn't the server's own has a status and no sentence", async () => {
  fetchMock.mockResolvedValue(new Response("<h1>Bad gateway</h1>", { status: 502 }));
  await expect(call("/rooms")).rejects.toMatchObject({ status: 502, message: "" });
});

test("an answer that breaks off counts as none", async () => {
  const broken = new ReadableStream({ start: (stream) => stream.error(new TypeError("aborted")) });
  fetchMock.mockResolvedValue(new Response(broken, { status: 200 }));
  await expect(call("/rooms")).rejects.toMatchObject({ status: 0, message: "" });
});

test("no network is a failure of status 0", async () => {
  fetchMock.mockRejectedValue(new TypeError("Failed to fetch"));
  await expect(call("/rooms")).rejects.toMatchObject({ status: 0, message: "" });
});
