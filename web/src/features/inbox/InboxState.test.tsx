import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { InboxState } from "./InboxState";
import { emptyInbox } from "./inboxStore";

afterEach(cleanup);

const note = { id: "a", message: "You were great.", seen: true, date: "2026-01-01 10:00:00" };

test.each([
  [false, [], "You’re offline. Check"],
  [false, [note], "You’re offline. This may be out of date"],
  [true, [], "The server isn’t responding. Try"],
  [true, [note], "The server isn’t responding. This may be out of date"],
])("without an answer, the browser being online: %s, with the notes %j", (isOnline, notes, words) => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  render(<InboxState inbox={{ ...emptyInbox, status: "offline", notes }} onRetry={() => {}} />);
  expect(screen.getByRole("status").textContent).toContain(words);
});
