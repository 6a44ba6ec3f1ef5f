import { beforeEach, expect, test, vi } from "vitest";
import { ApiFailure } from "@/shared/api/client";
import type { Code } from "@/shared/contract/codes";
import { tabStorage } from "@/shared/storage";
import { type DoorCalls, Visitor } from "./Visitor";

const KEY = "annon.knock.room-1";
const WAITING = { state: "waiting", emoji: "🦊", seconds_left: 600 } as const;
const refused = (status: number, code: Code) => Promise.reject(new ApiFailure(status, { code, message: "" }));

/** A visitor whose calls get these answers, one after the other; then the calls wait. */
function atTheDoor(...answers: (() => ReturnType<DoorCalls["stands"]>)[]) {
  const lookAgain = vi.fn();
  const calls = {
    knock: vi.fn(() => Promise.resolve({ status: 201, knock: "k1", emoji: "🦊", seconds_left: 600 })),
    stands: vi.fn((_knock: string, _wait: number) => answers.shift()?.() ?? new Promise<never>(() => {})),
    pause: vi.fn(() => Promise.resolve()),
  };
  const visitor = new Visitor("room-1", lookAgain, calls);
  return { visitor, calls, lookAgain, state: () => visitor.store.getState() };
}

beforeEach(() => tabStorage.removeItem(KEY));

test("knocks, waits, and opens the group once more when admitted", async () => {
  let admit = () => {};
  const { visitor, calls, lookAgain, state } = atTheDoor(
    () => new Promise((resolve) => (admit = () => resolve({ ...WAITING, state: "admitted" }))),
  );
  visitor.start();
  expect(state()).toEqual({ stage: "before", busy: false });
  await visitor.knock();
  expect(state()).toMatchObject({ stage: "waiting", emoji: "🦊", busy: false });
  expect(calls.stands).toHaveBeenCalledExactlyOnceWith("k1", 25);
  expect(tabStorage.getItem(KEY)).toBe("k1");
  admit();
  await vi.waitFor(() => expect(lookAgain).toHaveBeenCalledOnce());
  expect(tabStorage.getItem(KEY)).toBeNull();
});

test("goes on waiting after a reload, and shows at once how the knock stands", async () => {
  tabStorage.setItem(KEY, "k0");
  const { visitor, calls, state } = atTheDoor(() => Promise.resolve({ ...WAITING, seconds_left: 30 }));
  visitor.start();
  await vi.waitFor(() => expect(state().stage).toBe("waiting"));
  await vi.waitFor(() => expect(calls.stands).toHaveBeenCalledTimes(2));
  expect(calls.stands.mock.calls).toEqual([
    ["k0", 0],
    ["k0", 25],
  ]);
  expect(calls.pause).not.toHaveBeenCalled();
});

test.each(["declined", "lapsed"] as const)("says that it was %s, and knocks again", async (end) => {
  const { visitor, state, lookAgain } = atTheDoor(() => Promise.resolve({ ...WAITING, state: end }));
  await visitor.knock();
  await vi.waitFor(() => expect(state()).toMatchObject({ stage: end, busy: false }));
  expect([tabStorage.getItem(KEY), lookAgain.mock.calls.length]).toEqual([null, 0]);
  await visitor.knock();
  expect(state().stage).toBe("waiting");
});

test("a knock that the server no longer knows has lapsed", async () => {
  tabStorage.setItem(KEY, "k0");
  const { visitor, state } = atTheDoor(() => refused(404, "no_such_knock"));
  visitor.start();
  await vi.waitFor(() => expect(state().stage).toBe("lapsed"));
});

test("without an answer it says so, and asks again until there is one", async () => {
  const { visitor, calls, state } = atTheDoor(
    () => Promise.reject(new ApiFailure(0)),
    () => refused(503, "group_busy"),
    () => Promise.resolve(WAITING),
    () => Promise.resolve(WAITING),
  );
  await visitor.knock();
  await vi.waitFor(() => expect(calls.stands).toHaveBeenCalledTimes(5));
  // What it says of a failure is gone as soon as the server answers, and not when a long call ends.
  expect(calls.stands.mock.calls.map(([, wait]) => wait)).toEqual([25, 0, 0, 25, 25]);
  // The answer that came too early is not followed by the next call immediately either.
  expect(calls.pause).toHaveBeenCalledTimes(3);
  expect(state()).toMatchObject({ stage: "waiting", why: undefined });
});

test.each([
  ["no_need_to_knock", 409],
  ["group_full", 403],
  ["removed_from_group", 403],
  ["group_expired", 404],
] as const)("after %s the group's own page says what is the matter", async (code, status) => {
  const { visitor, calls, lookAgain, state } = atTheDoor();
  calls.knock.mockImplementation(() => refused(status, code));
  await visitor.knock();
  expect(lookAgain).toHaveBeenCalledOnce();
  expect(state()).toMatchObject({ stage: "before", busy: false });
});

test("any other refusal is shown", async () => {
  const { visitor, calls, lookAgain, state } = atTheDoor();
  calls.knock.mockImplementation(() => refused(429, "knocked_too_often"));
  await visitor.knock();
  expect(state()).toMatchObject({ stage: "before", why: expect.stringMatching(/three times in an hour/) });
  expect(lookAgain).not.toHaveBeenCalled();
});

test("nothing happens after the page is left", async () => {
  const { visitor, lookAgain } = atTheDoor(() => Promise.resolve({ ...WAITING, state: "admitted" }));
  const knocking = visitor.knock();
  visitor.stop();
  await knocking;
  visitor.stop();
  await Promise.resolve();
  expect(lookAgain).not.toHaveBeenCalled();
});
