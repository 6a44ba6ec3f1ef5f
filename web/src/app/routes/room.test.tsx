import { act, cleanup, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeRoom, ROOM } from "@/features/chat/testing/fakeRoom";
import type { Code } from "@/shared/contract/codes";
import { saying } from "@/shared/testing/saying";
import { Component, loader } from "./room";

const SEAT = `/api/room/${ROOM}/seat`;
const SOCKET = `/api/room/${ROOM}/socket`;

/** What was asked for a seat, and what is given for it next. */
let seats: { emoji: string }[];
let asked: string[];

/** Whether the browser has a seat as the server sees it, and whether it loses the first one in its sleep. */
let isSeated: boolean;
let lapses: boolean;

class FakeSocket {
  static readonly OPEN = 1;
  readyState = 0;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number }) => void;

  constructor() {
    setTimeout(() => {
      if (isSeated) {
        this.readyState = FakeSocket.OPEN;
        this.onopen?.();
        this.onmessage?.({ data: JSON.stringify({ event: "event.ready", last_seq: 0, resumed: true }) });
      }
      if (isSeated && !lapses) return;
      [isSeated, lapses] = [false, false];
      this.onclose?.({ code: 1006 });
    }, 1);
  }

  send() {}

  close() {}
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  localStorage.clear();
  asked = [];
  [isSeated, lapses] = [false, true];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push(`${init?.method ?? "GET"} ${url}`);
    if (url === SEAT) {
      const seat = seats.shift();
      isSeated = seat !== undefined;
      if (!seat) return refused(403, "group_full");
      return Response.json({ status: 200, ...seat, data: { ...room(), members: [seat.emoji] } });
    }
    if (url === SOCKET) return refused(403, "not_a_member");
    return Response.json({ status: 200, data: room() });
  });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const room = () => ({
  ...new FakeRoom().page(200),
  expire_at: Date.now() / 1000 + 3600,
});
const refused = (status: number, code: Code) => Response.json({ status, ...saying(code) }, { status });

async function open() {
  const routes = [
    { path: "/room/:roomId", loader, Component, HydrateFallback: () => null },
    { path: "/roomfull", Component: () => <p>full</p> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: [`/room/${ROOM}`] });
  render(<RouterProvider router={router} />);
  // The loader, the socket's refusal, and the question why.
  for (let turn = 0; turn < 20; turn += 1) await act(() => vi.advanceTimersByTimeAsync(100));
  return router;
}

test("whose seat was free after a long sleep finds another, and the room is the new one's", async () => {
  seats = [{ emoji: "🦊" }, { emoji: "🐢" }];
  const router = await open();
  const seat = `POST ${SEAT}`;
  expect(asked.filter((call) => call === seat)).toEqual([seat, seat]);
  expect(localStorage.getItem(ROOM)).toBe("🐢");
  expect(screen.getAllByText(/^You are Turtle/).length).toBe(1);
  expect(router.state.location.pathname).toBe(`/room/${ROOM}`);
});

test("when others have taken all seats, that is what the page says", async () => {
  seats = [{ emoji: "🦊" }];
  const router = await open();
  expect(router.state.location.pathname).toBe("/roomfull");
});
