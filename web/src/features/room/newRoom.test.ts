import { beforeEach, expect, test, vi } from "vitest";
import { ROOM_NAME_MAX } from "@/shared/contract/limits";
import { creatorOf, keepToken } from "@/shared/session/session";
import { app as deApp } from "@/shared/text/de/app";
import { app } from "@/shared/text/en/app";
import { anotherName, createRoom, isNameEnough } from "./newRoom";

const ID = "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11";
const fetchMock = vi.fn<typeof fetch>();

beforeEach(() => {
  fetchMock.mockReset();
  vi.stubGlobal("fetch", fetchMock);
});

test("a new group is asked for with its lifetime, and its creator is kept for two hours", async () => {
  keepToken("t");
  const written = vi.spyOn(document, "cookie", "set");
  fetchMock.mockResolvedValue(
    Response.json({ status: 201, room_id: ID, creator: "some-body" }, { status: 201 }),
  );
  await expect(createRoom(" Owls ", 2)).resolves.toEqual({ id: ID, name: "Owls", hours: 2 });
  const [url, init] = fetchMock.mock.calls[0] ?? [];
  expect(url).toBe("/api/room/create");
  expect(JSON.parse(String(init?.body))).toEqual({ name: " Owls ", lifetime_hours: 2 });
  expect(new Headers(init?.headers).get("Authorization")).toBe("Bearer t");
  expect(written.mock.lastCall?.[0]).toMatch(
    new RegExp(`^${ID}=[\\w-]{43}; Path=/; Max-Age=7200; SameSite=Lax$`),
  );
  expect(creatorOf(ID)).toBe("some-body");
});

test("four characters are enough, blanks at the ends and halves of an emoji aren't any", () => {
  expect(isNameEnough("\u3164\u3164\u3164\u3164")).toBe(false);
  expect(isNameEnough("\u202eowl")).toBe(false);
  expect(isNameEnough("owls")).toBe(true);
  expect(isNameEnough(" owl ")).toBe(false);
  expect(isNameEnough("🦉🦉🦉")).toBe(false);
  expect(isNameEnough("🦉🦉🦉🦉")).toBe(true);
});

test.each([
  ["English", app.newGroup.fancyNames],
  ["German", deApp.newGroup.fancyNames],
])("the wand knows twenty %s names, all of which can be given", (_, names) => {
  expect(new Set(names).size).toBe(20);
  for (const name of names) {
    expect(isNameEnough(name), name).toBe(true);
    expect(Array.from(name).length, name).toBeLessThanOrEqual(ROOM_NAME_MAX);
  }
});

test("the wand reaches every name but the one that is there", () => {
  const names = ["a", "b", "c"];
  const drawn = [0, 0.5, 0.999].map((number) => anotherName(names, "b", () => number));
  expect(drawn).toEqual(["a", "c", "c"]);
  expect(anotherName(names, "my own", () => 0.999)).toBe("c");
});
