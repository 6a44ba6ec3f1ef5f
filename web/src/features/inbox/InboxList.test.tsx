import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ApiFailure } from "@/shared/api/client";
import type { InboxFeed } from "./InboxFeed";
import { InboxList } from "./InboxList";
import { emptyInbox, type Note, useInbox, without } from "./inboxStore";

afterEach(() => {
  cleanup();
  useInbox.setState(emptyInbox, true);
});

const note = (id: string): Note => ({
  id,
  message: `words of ${id}`,
  seen: true,
  date: "2026-01-01 10:00:00",
});

/** An inbox with two notes, and the pages that lie behind them. */
function inbox(...pages: string[][]) {
  useInbox.setState({ status: "ready", notes: [note("a"), note("b")], hasOlder: true });
  const loadOlder = async () => {
    const page = pages.shift() ?? [];
    useInbox.setState(({ notes }) => ({ notes: [...notes, ...page.map(note)], hasOlder: pages.length > 0 }));
  };
  render(<InboxList feed={{ loadOlder } as InboxFeed} username="wildfox" />);
}

async function older() {
  const button = screen.getByRole("button", { name: "Load older messages" });
  button.focus();
  await act(async () => fireEvent.click(button));
}

test("the button keeps the focus while there is more, and the last page's first note has it then", async () => {
  inbox(["c", "d"], ["e", "f"]);
  await older();
  expect(document.activeElement?.textContent).toBe("Load older messages");
  await older();
  expect(screen.queryByRole("button", { name: "Load older messages" })).toBeNull();
  expect(document.activeElement?.id).toBe("note-e");
});

test("where the last page is empty, the last note has it", async () => {
  inbox([]);
  await older();
  expect(document.activeElement?.id).toBe("note-b");
});

const fetched = () => ["a", "b", "c", "d"].map(note);
const feed = {
  remove: async (id: string) => useInbox.setState((inbox) => without(inbox, id, 0)),
} as Partial<InboxFeed> as InboxFeed;

test("after a note was deleted the next one has the focus, also when the list was fetched meanwhile", async () => {
  useInbox.setState({ ...emptyInbox, status: "ready", notes: fetched() });
  render(<InboxList feed={feed} username="some-body" />);
  fireEvent.click(
    within(screen.getAllByRole("article")[2] as HTMLElement).getByRole("button", {
      name: /^Delete the note/,
    }),
  );
  act(() => useInbox.setState({ notes: fetched() }));
  fireEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getAllByRole("article")).toHaveLength(3);
  expect(document.activeElement?.id).toBe("note-d");
});

test("deleting everything is asked about first, and leaves the heading with the focus", async () => {
  useInbox.setState({ ...emptyInbox, status: "ready", notes: fetched() });
  const removeAll = vi.fn(async () => useInbox.setState({ notes: [], unread: 0 }));
  render(<InboxList feed={{ removeAll } as Partial<InboxFeed> as InboxFeed} username="some-body" />);
  const press = () => fireEvent.click(screen.getByRole("button", { name: "Delete all" }));
  press();
  const dialog = within(screen.getByRole("alertdialog"));
  fireEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(removeAll).not.toHaveBeenCalled();
  press();
  fireEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete all" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.queryAllByRole("article")).toHaveLength(0);
  expect(screen.queryByRole("button", { name: "Delete all" })).toBeNull();
  expect(document.activeElement?.textContent).toBe("My Inbox");
});

test("when that fails, everything stays", async () => {
  useInbox.setState({ ...emptyInbox, status: "ready", notes: fetched() });
  const removeAll = async () => {
    throw new ApiFailure(0);
  };
  render(<InboxList feed={{ removeAll } as Partial<InboxFeed> as InboxFeed} username="some-body" />);
  fireEvent.click(screen.getByRole("button", { name: "Delete all" }));
  fireEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete all" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getAllByRole("article")).toHaveLength(4);
});

test("an inbox that takes notes in batches says when they come", () => {
  useInbox.setState({ ...emptyInbox, status: "ready", notes: fetched(), inBatches: true });
  render(<InboxList feed={feed} username="some-body" />);
  expect(screen.getByText(/together every 15 minutes/)).toBeTruthy();
  act(() => useInbox.setState({ notes: [] }));
  expect(screen.getByText(/new notes show up here every 15 minutes/)).toBeTruthy();
});
