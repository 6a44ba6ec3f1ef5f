import { waitFor } from "@testing-library/dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepSeen } from "@/shared/keptRooms";
import { newMessages, RoomsFeed, useRooms } from "./RoomsFeed";

const [OWLS, TACOS] = ["6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11", "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b12"];

const standing = (message_count: number, active = 1) => ({ seats: 2, active, message_count });
const item = (id: string, message_count: number) => ({
  ...{ id, name: "owls", date: "2026-01-01 10:00:00", seconds_left: 600 },
  standing: standing(message_count),
});
const frame = (id: string, about?: ReturnType<typeof standing>) => ({
  event: "event.room",
  id,
  ...(about && { standing: about }),
});

const forget = vi.fn(async () => {});
const feed = new RoomsFeed("some-body", forget);
/** What the server's list has; `asked` runs while it is asked. */
let list: object[];
let asked = vi.fn();

beforeEach(() => {
  list = [item(OWLS, 5)];
  asked = vi.fn();
  vi.stubGlobal("fetch", async () => {
    const answer = Response.json({ status: 200, data: list });
    asked();
    return answer;
  });
  keepSeen(localStorage, OWLS, 3);
  feed.start();
});

afterEach(() => feed.stop());

function shown() {
  const { rooms } = useRooms.getState();
  if (!Array.isArray(rooms)) return rooms;
  return rooms.map(({ id, standing, unread }) => [id, standing?.active, unread]);
}

test("a frame changes what is new and who is there, and the page of the group what was read", async () => {
  await feed.load();
  expect(shown()).toEqual([[OWLS, 1, 2]]);
  feed.receive(frame(OWLS, standing(9, 2)));
  expect(shown()).toEqual([[OWLS, 2, 6]]);
  expect(newMessages(useRooms.getState())).toBe(6);
  keepSeen(localStorage, OWLS, 9);
  window.dispatchEvent(new StorageEvent("storage"));
  expect(shown()).toEqual([[OWLS, 2, 0]]);
});

test("nothing is new in a group that this device has never shown", async () => {
  list = [item(TACOS, 7)];
  await feed.load();
  feed.receive(frame(TACOS, standing(8)));
  expect(shown()).toEqual([[TACOS, 1, 0]]);
});

test("a group that ends goes, and one that nobody knew is loaded", async () => {
  await feed.load();
  feed.receive(frame(OWLS));
  await waitFor(() => expect(shown()).toEqual([]));
  expect(forget.mock.calls, "nor does the device list it").toEqual([[OWLS]]);
  list = [item(TACOS, 0)];
  feed.receive(frame(TACOS, standing(0)));
  await waitFor(() => expect(shown()).toEqual([[TACOS, 1, 0]]));
});

test("a list that is older than a frame doesn't undo it", async () => {
  list = [item(TACOS, 0), item(OWLS, 5)];
  asked.mockImplementationOnce(() => {
    feed.receive(frame(OWLS, standing(6)));
    feed.receive(frame(TACOS));
  });
  await feed.load();
  expect(shown()).toEqual([[OWLS, 1, 3]]);
  // A frame that came before the list was asked for may be the older one.
  list = [item(OWLS, 8)];
  await feed.load();
  expect(shown()).toEqual([[OWLS, 1, 5]]);
});

test("when the socket is ready again the list is read anew, and stays if that fails", async () => {
  await feed.load();
  list = [item(OWLS, 6)];
  feed.ready();
  await waitFor(() => expect(shown()).toEqual([[OWLS, 1, 3]]));
  vi.stubGlobal("fetch", async () => Response.json({ status: 503, message: "" }, { status: 503 }));
  feed.ready();
  await feed.load().catch(() => {});
  expect(shown()).toEqual([[OWLS, 1, 3]]);
});

test("after the page is left nothing of the account is kept", async () => {
  await feed.load();
  const late = feed.load();
  feed.stop();
  await late;
  expect(shown()).toBeUndefined();
});
