import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { readUpTo, rememberConversation } from "@/shared/conversations/kept";
import { keysOf } from "@/shared/conversations/secret";
import { Remembered } from "./Remembered";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const secret = "AAECAwQFBgcICQoLDA0ODw";

async function rememberOne(): Promise<string> {
  const id = (await keysOf(secret))?.id ?? "";
  rememberConversation({ id, secret, to: "wildfox", since: 0 });
  return id;
}

function serverSays(data: object[]) {
  vi.stubGlobal("fetch", async () => Response.json({ status: 200, data }));
}

test.each([
  ["No answer yet", { unread: 0, answered: 0, open: true }, 0],
  ["2 answers", { unread: 2, answered: 4, open: true }, 3],
  ["Answered, read elsewhere", { unread: 0, answered: 4, open: true }, 3],
  ["Answered, and you’ve read it", { unread: 0, answered: 4, open: true }, 4],
  // The server hasn't heard yet that they were read here.
  ["Answered, and you’ve read it", { unread: 2, answered: 4, open: true }, 4],
  ["Closed", { unread: 0, answered: 4, open: false }, 4],
])("it says “%s” when the server says %o and this device has shown %i", async (words, standing, read) => {
  const id = await rememberOne();
  readUpTo(id, read);
  serverSays([{ id, ...standing }]);
  render(<Remembered />);
  expect(await screen.findByText(words)).toBeTruthy();
});

test("what the server doesn't know has ended: without its secret, and for a week", async () => {
  const id = await rememberOne();
  serverSays([]);
  const { unmount } = render(<Remembered />);
  expect(await screen.findByText("Ended and deleted")).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
  expect(localStorage.getItem(`annon.conversation.${id}`)).not.toContain(secret);
  unmount();
  const later = Date.now() + 7 * 24 * 60 * 60 * 1000;
  vi.spyOn(Date, "now").mockReturnValue(later);
  render(<Remembered />);
  expect(screen.queryByRole("article")).toBeNull();
  expect(localStorage.length).toBe(0);
});

test("an open list shows a new answer by itself, and asks nothing while nobody sees it", async () => {
  const id = await rememberOne();
  let unread = 0;
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    return Response.json({ status: 200, data: [{ id, unread, answered: 2 * unread, open: true }] });
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
