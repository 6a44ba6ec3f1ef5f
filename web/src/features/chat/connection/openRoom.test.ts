import { beforeEach, expect, test, vi } from "vitest";
import type { Refusal } from "@/shared/api/client";
import type { Code } from "@/shared/contract/codes";
import { paths } from "@/shared/contract/pages";
import { cacheAccount, forgetCreator, forgetSession, keepCreator, keepToken } from "@/shared/session/session";
import { refusalOf } from "@/shared/testing/refusalOf";
import { DoorPage } from "../door/DoorPage";
import { newKey } from "../sealing/keys";
import { newSealed } from "../sealing/newSealed";
import { FakeRoom, ROOM } from "../testing/fakeRoom";
import { begin, seatHeaders } from "./ask";
import { openRoom } from "./openRoom";

type Answer = () => Response;
let answers: Record<string, Answer>;
let asked: {
  url: string;
  method: string | undefined;
  credentials: string | undefined;
  bearer: string | null;
}[];
const SEAT = `/api/room/${ROOM}/seat`;

const fails = (status: number, refusal: Refusal) => () => Response.json({ status, ...refusal }, { status });

/** The answer with a seat and the room. `now` is the server's time. */
function seatedAt(now: number) {
  const data = { ...new FakeRoom().page(200), members: ["🦊"] };
  return Response.json(
    { status: 200, emoji: "🦊", data },
    { headers: { Date: new Date(now).toUTCString() } },
  );
}

beforeEach(() => {
  localStorage.clear();
  forgetSession();
  forgetCreator(ROOM);
  asked = [];
  answers = {
    [SEAT]: () => seatedAt(Date.now()),
    "/api/dashboard": () => Response.json({ user: { username: "some-body", email: "a@b.example" } }),
  };
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    const bearer = new Headers(init?.headers).get("Authorization");
    asked.push({ url, method: init?.method, credentials: init?.credentials, bearer });
    const answer = answers[url];
    if (!answer) throw new TypeError("offline");
    return answer();
  });
});

async function started() {
  const opened = await openRoom(ROOM);
  if (opened.kind !== "room") throw new Error(JSON.stringify(opened));
  return opened.start;
}

test("takes the seat, keeps the emoji, and gives the room", async () => {
  const start = await started();
  expect(start).toMatchObject({ me: "🦊", amCreator: false, data: { name: "midnight tacos" } });
  expect(start.expiresAt).toBe(start.data.expire_at * 1000);
  expect(localStorage.getItem(ROOM)).toBe("🦊");
  expect(asked).toEqual([{ url: SEAT, method: "POST", credentials: "same-origin", bearer: null }]);
  // With a cookie, no script can read anything about the seat.
  expect([seatHeaders(), sessionStorage.length]).toEqual([{}, 0]);
});

test.each([
  ["group_full", "/roomfull", true],
  ["something_newer" as Code, "/roomfull", true],
  ["group_locked", "/roomfull?why=locked", true],
  ["removed_from_group", "/roomfull?why=kicked", false],
] as const)("no seat: %s", async (code, to, isRemembered) => {
  localStorage.setItem(ROOM, "🦊");
  answers[SEAT] = fails(403, refusalOf(code));
  expect(await openRoom(ROOM)).toEqual({ kind: "elsewhere", to });
  expect(localStorage.getItem(ROOM) !== null).toBe(isRemembered);
});

test("a room that is gone is forgotten", async () => {
  localStorage.setItem(ROOM, "🦊");
  localStorage.setItem(`annon.outbox.${ROOM}`, "[]");
  answers[SEAT] = fails(404, refusalOf("group_expired"));
  expect(await openRoom(ROOM)).toEqual({ kind: "elsewhere", to: paths.expired });
  expect(localStorage).toHaveLength(0);
});

test.each<[string, Answer, string]>([
  ["a busy server", fails(503, { message: "The server is busy." }), "The server is busy."],
  ["somebody else's page", () => new Response("<p>Sign in to this network"), ""],
  ["somebody else's JSON", () => Response.json({ emoji: "🐙" }), ""],
])("trouble says nothing of the room, and the emoji stays: %s", async (_, answer, why) => {
  localStorage.setItem(ROOM, "🦊");
  answers[SEAT] = answer;
  expect(await openRoom(ROOM)).toMatchObject(why === "" ? { kind: "trouble" } : { kind: "trouble", why });
  delete answers[SEAT];
  expect((await openRoom(ROOM)).kind).toBe("trouble");
  expect(localStorage.getItem(ROOM)).toBe("🦊");
});

test("the creator is known by the account or by the room's cookie, signed in only", async () => {
  keepCreator(ROOM, "some-body");
  expect((await started()).amCreator).toBe(false);
  keepToken("t");
  expect((await started()).amCreator).toBe(true);
  forgetCreator(ROOM);
  cacheAccount({ user: { username: "somebody-else", email: "" } });
  expect((await started()).amCreator).toBe(false);
  cacheAccount({ user: { username: "some-body", email: "" } });
  expect((await started()).amCreator).toBe(true);
  expect(asked.some(({ url }) => url === "/api/dashboard")).toBe(false);
  forgetSession();
  keepToken("t");
  expect((await started()).amCreator).toBe(true);
});

test("a device whose clock is wrong sees the end when it is", async () => {
  const hour = 3_600_000;
  answers[SEAT] = () => seatedAt(Date.now() + hour);
  const start = await started();
  expect(start.data.expire_at * 1000 - start.expiresAt).toBeGreaterThan(hour - 2000);
  expect(start.data.expire_at * 1000 - start.expiresAt).toBeLessThan(hour + 2000);
  const data = new FakeRoom().page(200);
  answers[SEAT] = () => Response.json({ status: 200, emoji: "🦊", data });
  const other = await started();
  expect(other.expiresAt).toBe(other.data.expire_at * 1000);
});

const calls = () => asked.map(({ url }) => url);

test("the answer to the prefetch is used, and only once", async () => {
  begin(`/room/${ROOM}`);
  await started();
  expect(calls()).toEqual([SEAT]);
  await started();
  expect(calls()).toEqual([SEAT, SEAT]);
});

test.each([
  ["for another room", "/room/0c1f5a3e-52c5-4bc1-9d0b-6a2f8a7f0002", 0],
  ["long ago", `/room/${ROOM}`, 61_000],
])("a prefetch %s is not used", async (_, path, ms) => {
  begin(path);
  asked = [];
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + ms);
  await started();
  expect(calls()).toEqual([SEAT]);
});

test("a prefetch without an answer is made again, and a refusal is used", async () => {
  const answer = answers[SEAT];
  delete answers[SEAT];
  begin(`/room/${ROOM}`);
  if (answer) answers[SEAT] = answer;
  expect((await started()).me).toBe("🦊");
  answers[SEAT] = fails(403, refusalOf("group_locked"));
  begin(`/room/${ROOM}`);
  asked = [];
  expect((await openRoom(ROOM)).kind).toBe("elsewhere");
  expect(asked).toEqual([]);
});

test.each(["/", "/room/new", "/room/", `/room/${ROOM}/x`, "/some-body"])("%s asks for nothing", (path) => {
  begin(path);
  expect(asked).toEqual([]);
});

test("a group that asks first shows its door, and no call has the account's token and the seat", async () => {
  answers[SEAT] = fails(403, refusalOf("asks_first"));
  answers[`/api/room/${ROOM}`] = () => Response.json({ status: 200, data: new FakeRoom().page(0) });
  keepToken("t");
  cacheAccount({ user: { username: "else", email: "" } });
  const opened = await openRoom(ROOM);
  if (opened.kind !== "door") throw new Error(JSON.stringify(opened));
  expect(opened.room).toMatchObject({ id: ROOM, name: "midnight tacos" });
  expect(asked.every(({ bearer }) => bearer === null)).toBe(true);
});

test("the door of a sealed group has its name for who has the key, and without the key nobody knocks", async () => {
  const { key, ...sealed } = await newSealed("marked midnight");
  answers[SEAT] = fails(403, refusalOf("asks_first"));
  const data = { ...new FakeRoom().page(0), name: "Sealed group", sealed };
  answers[`/api/room/${ROOM}`] = () => Response.json({ status: 200, data });
  const doors = [];
  for (const hash of [`#${key}`, "", `#${newKey()}`]) {
    window.history.replaceState(null, "", `/room/${ROOM}${hash}`);
    const opened = await openRoom(ROOM);
    if (opened.kind !== "door") throw new Error(JSON.stringify(opened));
    doors.push([opened.room.name, opened.Door === DoorPage]);
  }
  const keyless = ["Sealed group", false];
  expect(doors).toEqual([["marked midnight", true], keyless, keyless]);
});

test("the creator comes into a group that asks first by the account's token, and tries that once", async () => {
  let refusals = 1;
  answers[SEAT] = () => {
    refusals -= 1;
    return refusals >= 0 ? fails(403, refusalOf("asks_first"))() : seatedAt(Date.now());
  };
  answers[`/api/room/${ROOM}`] = () => Response.json({ status: 200, data: new FakeRoom().page(0) });
  keepToken("t");
  cacheAccount({ user: { username: "some-body", email: "" } });
  expect((await started()).me).toBe("🦊");
  expect(asked.filter(({ url }) => url === SEAT).map(({ bearer }) => bearer)).toEqual([null, "Bearer t"]);
  refusals = 2;
  expect((await openRoom(ROOM)).kind).toBe("door");
});

test("a group that asks first and has ended meanwhile is over", async () => {
  answers[SEAT] = fails(403, refusalOf("asks_first"));
  answers[`/api/room/${ROOM}`] = fails(404, refusalOf("group_expired"));
  expect(await openRoom(ROOM)).toEqual({ kind: "elsewhere", to: paths.expired });
});
