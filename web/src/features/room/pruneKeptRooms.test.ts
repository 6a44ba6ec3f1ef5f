import { expect, test, vi } from "vitest";
import { ALIVE, GONE, leaveThreeRooms } from "@/shared/testing/threeRooms";
import { pruneKeptRooms } from "./pruneKeptRooms";

test("forgets the rooms the server doesn't know, and nothing else", async () => {
  leaveThreeRooms();
  const sent = new Set<RequestCredentials | undefined>();
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    sent.add(init?.credentials);
    if (url === `/api/room/valid/${ALIVE}`) return Response.json({ status: 200 });
    if (url === `/api/room/valid/${GONE}`)
      return Response.json({ status: 404, message: "" }, { status: 404 });
    throw new TypeError("offline");
  });
  const forget = vi.fn(async () => {});
  await pruneKeptRooms(forget);
  expect(forget.mock.calls).toEqual([[GONE]]);
  // Without the seat's cookie a group that has got a new link would be gone, too.
  expect([...sent]).toEqual(["same-origin"]);
});
