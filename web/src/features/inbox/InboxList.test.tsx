import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { InboxFeed } from "./InboxFeed";
import { InboxList } from "./InboxList";
import { emptyInbox, useInbox, without } from "./inboxStore";

afterEach(cleanup);

const note = (id: string) => ({ id, message: `note ${id}`, seen: true, date: "2026-01-01 10:00:00" });
const fetched = () => ["a", "b", "c", "d"].map(note);
const feed = {
  remove: async (id: string) => useInbox.setState((inbox) => without(inbox, id, 0)),
} as Partial<InboxFeed> as InboxFeed;

test("after a note was deleted the next one has the focus, also when the list was fetched meanwhile", async () => {
  useInbox.setState({ ...emptyInbox, status: "ready", notes: fetched() });
  render(<InboxList feed={feed} username="some-body" />);
  fireEvent.click(
    within(screen.getAllByRole("article")[2] as HTMLElement).getByRole("button", { name: "Delete" }),
  );
  act(() => useInbox.setState({ notes: fetched() }));
  fireEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getAllByRole("article")).toHaveLength(3);
  expect(document.activeElement?.id).toBe("note-d");
});
