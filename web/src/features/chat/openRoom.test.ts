import { beforeEach, expect, test, vi } from "vitest";
import { paths } from "@/shared/paths";
import { cacheAccount, forgetSession, keepToken, writeCookie } from "@/shared/session";
import { begin } from "./early/early";
import { FakeRoom, ROOM } from "./fakeRoom";
import { openRoom } from "./openRoom";

const NO_ROOM = "Sorry, It Looks Like This Group Has Expired";
type Answer = () => Response;
let answers: Record<string, Answer>;
let asked: { url: string; credentials: string | undefined }[];

const fails =
  (status: number, message: string): Answer =>
  () =>
    Response.json({ status, message }, { status });

/** The room as its member sees it, by a server's clock. */
function roomAt(now: number, members = ["🦊"]) {
  const data = { ...new FakeRoom().page(200), members };
  return Response.json({ status: 200, data }, { headers: { Date: new Date(now).toUTCString() } });
}

beforeEach(() => {
  localStorage.clear();
  forgetSession();
  writeCookie(ROOM, "", 0);
  asked = [];
  answers = {
    [`/api/room-emoji/${ROOM}`]: () => Response.json("🦊"),
    [`/api/room/${ROOM}`]: () => roomAt(Date.now()),
    "/api/dashboard": () => Response.json({ user: { username: "some-body", email: "a@b.example" } }),
  };
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push({ url, credentials: init?.credentials });
    const answer = answers[url.split("?")[0] ?? ""];
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
  const withCookie = asked.filter(({ credentials }) => credentials === "same-origin").map(({ url }) => url);
  expect(withCookie).toEqual([`/api/room-emoji/${ROOM}`, `/api/room/${ROOM}?limit=200`]);
});

test.each([
  ["Sorry, It Looks Like This Group Is Full Already", "/roomfull", true],
  ["something that a newer server says", "/roomfull", true],
  ["This group is locked", "/roomfull?why=locked", true],
  ["You were removed from this group", "/roomfull?why=kicked", false],
])("no seat: %s", async (why, to, isRemembered) => {
  localStorage.setItem(ROOM, "🦊");
  answers[`/api/room-emoji/${ROOM}`] = fails(403, why);
  expect(await openRoom(ROOM)).toEqual({ kind: "elsewhere", to });
  expect(localStorage.getItem(ROOM) !== null).toBe(isRemembered);
});

test("a room that is gone is forgotten, whichever call says so", async () => {
  for (const call of [`/api/room-emoji/${ROOM}`, `/api/room/${ROOM}`]) {
    localStorage.setItem(ROOM, "🦊");
    localStorage.setItem(`annon.outbox.${ROOM}`, "[]");
    answers[call] = fails(404, NO_ROOM);
    expect(await openRoom(ROOM)).toEqual({ kind: "elsewhere", to: paths.expired });
    expect(localStorage).toHaveLength(0);
    answers[call] = () => Response.json("🦊");
  }
});

test("trouble says nothing of the room: the emoji stays", async () => {
  localStorage.setItem(ROOM, "🦊");
  answers[`/api/room-emoji/${ROOM}`] = fails(503, "The server is busy. Try again in a moment.");
  expect(await openRoom(ROOM)).toEqual({
    kind: "trouble",
    why: "The server is busy. Try again in a moment.",
  });
  answers = {};
  expect((await openRoom(ROOM)).kind).toBe("trouble");
  answers = { [`/api/room-emoji/${ROOM}`]: () => Response.json("🦊") };
  expect((await openRoom(ROOM)).kind).toBe("trouble");
  expect(localStorage.getItem(ROOM)).toBe("🦊");
});

test("the creator is known by the account or by the room's cookie, signed in only", async () => {
  writeCookie(ROOM, "some-body", 60);
  expect((await started()).amCreator).toBe(false);
  keepToken("t");
  expect((await started()).amCreator).toBe(true);
  writeCookie(ROOM, "", 0);
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
  answers[`/api/room/${ROOM}`] = () => roomAt(Date.now() + hour);
  const start = await started();
  expect(start.data.expire_at * 1000 - start.expiresAt).toBeGreaterThan(hour - 2000);
  expect(start.data.expire_at * 1000 - start.expiresAt).toBeLessThan(hour + 2000);
  const withoutDate = { status: 200, data: { ...new FakeRoom().page(200), members: ["🦊"] } };
  answers[`/api/room/${ROOM}`] = () => Response.json(withoutDate);
  const other = await started();
  expect(other.expiresAt).toBe(other.data.expire_at * 1000);
});

const calls = () => asked.map(({ url }) => url);
const SEAT = `/api/room-emoji/${ROOM}`;
const PAGE = `/api/room/${ROOM}?limit=200`;

test("what was asked before the app was there is used, and once", async () => {
  await begin(`/room/${ROOM}`);
  await started();
  expect(calls()).toEqual([SEAT, PAGE]);
  await started();
  expect(calls()).toEqual([SEAT, PAGE, SEAT, PAGE]);
});

test("who has held a seat asks for it and for the page at once; nobody else reads before they are seated", async () => {
  let seated = (_: Response) => {};
  const pending = new Promise<Response>((resolve) => {
    seated = resolve;
  });
  answers[SEAT] = () => pending as unknown as Response;
  const opening = started();
  await new Promise((turn) => setTimeout(turn));
  expect(calls()).toEqual([SEAT]);
  seated(Response.json("🦊"));
  await opening;
  expect(calls()).toEqual([SEAT, PAGE]);
  void openRoom(ROOM);
  expect(calls()).toEqual([SEAT, PAGE, SEAT, PAGE]);
});

test("a seat that was lost meanwhile is taken anew, and the page is read again with it", async () => {
  localStorage.setItem(ROOM, "🐙");
  const pages = [roomAt(Date.now(), []), roomAt(Date.now())];
  answers[`/api/room/${ROOM}`] = () => pages.shift() ?? new Response();
  expect((await started()).data.members).toEqual(["🦊"]);
  expect(calls()).toEqual([SEAT, PAGE, PAGE]);
  expect(localStorage.getItem(ROOM)).toBe("🦊");
});

test("what was asked for another room, or long ago, is not used", async () => {
  await begin("/room/0c1f5a3e-52c5-4bc1-9d0b-6a2f8a7f0002");
  const before = asked.length;
  await started();
  expect(calls().slice(before)).toEqual([SEAT, PAGE]);

  localStorage.clear();
  await begin(`/room/${ROOM}`);
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 61_000);
  asked = [];
  await started();
  expect(calls()).toEqual([SEAT, PAGE]);
});

test("trouble with the early calls is no trouble: it goes the ordinary way", async () => {
  const answer = answers[SEAT];
  delete answers[SEAT];
  await begin(`/room/${ROOM}`);
  if (answer) answers[SEAT] = answer;
  expect((await started()).me).toBe("🦊");
  answers[SEAT] = fails(403, "This group is locked");
  await begin(`/room/${ROOM}`);
  asked = [];
  expect((await openRoom(ROOM)).kind).toBe("elsewhere");
  expect(asked).toEqual([]);
});

test.each(["/", "/room/new", "/room/", `/room/${ROOM}/x`, "/some-body"])(
  "%s asks for nothing",
  async (path) => {
    await begin(path);
    expect(asked).toEqual([]);
  },
);
