import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { rememberConversation } from "@/shared/conversations/kept";
import { keysOf } from "@/shared/conversations/secret";
import { Remembered } from "./Remembered";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});

test("an open list shows a new answer by itself, and asks nothing while nobody sees it", async () => {
  const secret = "AAECAwQFBgcICQoLDA0ODw";
  const id = (await keysOf(secret))?.id ?? "";
  rememberConversation({ id, secret, to: "wildfox", since: 0 });
  let unread = 0;
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    return Response.json({ status: 200, data: [{ id, unread, open: true }] });
  });
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setInterval", "clearInterval"] });
  const pass = () => act(() => vi.advanceTimersByTimeAsync(60_000));
  const isVisible = vi.spyOn(document, "visibilityState", "get").mockReturnValue("visible");
  render(<Remembered />);
  await vi.waitFor(() => expect(asked).toBe(1));
  unread = 1;
  await pass();
  expect(await screen.findByText("1 answer")).toBeTruthy();
  const before = asked;
  isVisible.mockReturnValue("hidden");
  await pass();
  expect(asked).toBe(before);
  isVisible.mockReturnValue("visible");
  unread = 2;
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  expect(await screen.findByText("2 answers")).toBeTruthy();
});
