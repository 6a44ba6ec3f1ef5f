import { beforeEach, expect, test, vi } from "vitest";
import { FakeSocket, sockets } from "../testing/FakeSocket";
import { LiveSocket, type SocketEnvironment } from "./LiveSocket";

let timers: { run: () => void; ms: number; cancelled: boolean }[];
const listener = { opened: vi.fn(), frame: vi.fn(), lost: vi.fn(), ended: vi.fn() };

function environment(random = 1): SocketEnvironment {
  return {
    open: () => new FakeSocket() as unknown as WebSocket,
    later: (run, ms) => timers.push({ run, ms, cancelled: false }) - 1,
    cancel: (timer) => {
      const found = timers[timer];
      if (found) found.cancelled = true;
    },
    random: () => random,
  };
}

function started(random?: number) {
  const live = new LiveSocket("ws://x/", ["bearer", "t"], listener, environment(random));
  live.start();
  return live;
}

function last() {
  const socket = sockets.at(-1);
  if (!socket) throw new Error("no socket was opened");
  return socket;
}

beforeEach(() => {
  sockets.length = 0;
  timers = [];
});

test("passes frames on, and drops what is no JSON object", () => {
  started();
  last().accept();
  last().onmessage?.({ data: '{"event":"event.ready"}' });
  for (const data of ["nonsense", "null", "5"]) last().onmessage?.({ data });
  last().onmessage?.({ data: new Blob() });
  expect(listener.opened).toHaveBeenCalledOnce();
  expect(listener.frame.mock.calls).toEqual([[{ event: "event.ready" }]]);
});

test("waits longer after each failure, up to a limit, and starts over once the server spoke", () => {
  started();
  for (let attempt = 0; attempt < 8; attempt += 1) {
    last().onclose?.({ code: 1006 });
    timers.at(-1)?.run();
  }
  expect(timers.map(({ ms }) => ms)).toEqual([500, 1000, 2000, 4000, 8000, 16000, 20000, 20000]);
  expect(listener.lost).toHaveBeenCalledTimes(8);

  last().accept();
  last().onclose?.({ code: 1006 });
  expect(timers.at(-1)?.ms).toBe(20000);
  timers.at(-1)?.run();
  last().onmessage?.({ data: "{}" });
  last().onclose?.({ code: 1006 });
  expect(timers.at(-1)?.ms).toBe(500);
});

test("no two clients come back at the same moment", () => {
  started(0);
  last().onclose?.({ code: 1006 });
  expect(timers.at(-1)?.ms).toBe(250);
});

test("a code of the server's own ends it", () => {
  started();
  last().onclose?.({ code: 4401 });
  expect(listener.ended).toHaveBeenCalledWith(4401);
  expect(listener.lost).not.toHaveBeenCalled();
  expect(timers).toEqual([]);
});

test("stop closes the socket without an event, or ends a wait, and `wake` does nothing after it", () => {
  const live = started();
  const socket = last();
  live.stop();
  socket.onclose?.({ code: 1000 });
  expect(socket.readyState).toBe(3);
  expect(listener.lost).not.toHaveBeenCalled();
  expect(timers).toEqual([]);
  live.wake();
  live.check({});
  expect(sockets).toHaveLength(1);

  live.start();
  last().onclose?.({ code: 1006 });
  live.stop();
  expect(timers.at(-1)?.cancelled).toBe(true);
});

test("waking up cuts the wait short and replaces a socket that may be dead", () => {
  const live = started();
  last().onclose?.({ code: 1006 });
  live.wake();
  expect(timers.at(-1)?.cancelled).toBe(true);
  expect(sockets).toHaveLength(2);

  const asleep = last();
  asleep.accept();
  live.wake();
  expect(sockets).toHaveLength(3);
  asleep.onmessage?.({ data: '{"event":"old"}' });
  asleep.onclose?.({ code: 1006 });
  expect(listener.frame).not.toHaveBeenCalled();
  expect(listener.lost).toHaveBeenCalledOnce();
});

test("a socket that answers a check is kept, and one that doesn't is replaced", () => {
  const live = started();
  last().accept();
  live.check({ ask: 1 });
  live.check({ ask: 1 });
  expect(last().sent).toEqual(['{"ask":1}']);
  expect(timers.map(({ ms }) => ms)).toEqual([3000]);
  last().onmessage?.({ data: "{}" });
  expect(timers[0]?.cancelled).toBe(true);
  expect(sockets).toHaveLength(1);

  live.check({ ask: 2 });
  timers.at(-1)?.run();
  expect(listener.lost).toHaveBeenCalledOnce();
  expect(sockets).toHaveLength(2);
  expect(sockets[0]?.readyState).toBe(3);
});

test("a check cuts a wait short, gives a socket that is being opened its time, and ends with its socket", () => {
  const live = started();
  live.check({});
  expect(sockets).toHaveLength(1);
  last().accept();
  expect(timers.at(-1)).toMatchObject({ ms: 3000, cancelled: true });

  live.check({});
  const [check] = timers.slice(-1);
  last().onclose?.({ code: 1006 });
  expect(check).toMatchObject({ ms: 3000, cancelled: true });
  live.check({});
  expect(timers.at(-1)?.cancelled).toBe(true);
  expect(sockets).toHaveLength(2);
});

test("after a close for too many frames, the next attempt waits longer", () => {
  started();
  last().accept();
  last().onclose?.({ code: 1008 });
  expect(timers.at(-1)?.ms).toBe(20000);
});

test("says whether a frame went out", () => {
  const live = started();
  expect(live.send({ a: 1 })).toBe(false);
  last().accept();
  expect(live.send({ a: 1 })).toBe(true);
  expect(last().sent).toEqual(['{"a":1}']);
});
