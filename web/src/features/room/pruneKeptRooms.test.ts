import { expect, test, vi } from "vitest";
import { pruneKeptRooms } from "./pruneKeptRooms";

const ALIVE = "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11";
const GONE = "0a7be1f2-2c64-4f0e-8d0f-5a7b1f9be222";
const UNREACHABLE = "b3c2f7ac-11aa-4c7e-b7a1-3f0d2e4c5333";

function leaveThreeRooms() {
  localStorage.setItem(ALIVE, "🦊");
  localStorage.setItem(GONE, "🐙");
  localStorage.setItem(UNREACHABLE, "🌵");
  localStorage.setItem("language", "en");
  localStorage.setItem("annon.sound", "off");
}

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
