import { expect, test } from "vitest";
import { creatorOf, keepCreator } from "@/shared/session/session";
import { forgetRoom } from "./forgetRoom";

const GONE = "0a7be1f2-2c64-4f0e-8d0f-5a7b1f9be222";
const OTHER = "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11";

test("nothing of a room stays, whatever was kept of it, and nothing of another goes", async () => {
  for (const key of ["", "annon.draft.", "annon.outbox."]) {
    for (const room of [GONE, OTHER]) localStorage.setItem(key + room, "x");
  }
  keepCreator(GONE, "some-body");
  await forgetRoom(GONE);
  expect(Object.keys(localStorage).filter((key) => key.endsWith(GONE))).toEqual([]);
  expect(Object.keys(localStorage).filter((key) => key.endsWith(OTHER))).toHaveLength(3);
  expect(creatorOf(GONE)).toBeFalsy();
});
