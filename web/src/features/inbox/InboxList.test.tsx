import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiFailure } from "@/shared/api/client";
import { type Conversation, type ConversationsFeed, useConversations } from "./ConversationsFeed";
import type { InboxFeed } from "./InboxFeed";
import { InboxList } from "./InboxList";
import { emptyInbox, type Note, useInbox, withDeletion } from "./inboxStore";

afterEach(() => useInbox.setState(emptyInbox, true));

const note = (id: string): Note => ({
  id,
  message: `words of ${id}`,
  seen: true,
  only_for_you: false,
  date: "2026-01-01 10:00:00",
});

/** An inbox with two notes, followed by these further pages. */
function inbox(...pages: string[][]) {
  useInbox.setState({ status: "ready", notes: [note("a"), note("b")], hasOlder: true });
  const loadOlder = async () => {
    const page = pages.shift() ?? [];
    useInbox.setState(({ notes }) => ({ notes: [...notes, ...page.map(note)], hasOlder: pages.length > 0 }));
  };
  render(
    <InboxList
      conversations={{} as ConversationsFeed}
      feed={{ loadOlder } as InboxFeed}
      username="wildfox"
    />,
  );
}

async function older() {
  const button = screen.getByRole("button", { name: "Load older notes" });
  button.focus();
  await act(async () => fireEvent.click(button));
}

test("the button keeps the focus while there is more, and the last page's first note has it then", async () => {
  inbox(["c", "d"], ["e", "f"]);
  await older();
  expect(document.activeElement?.textContent).toBe("Load older notes");
  await older();
  expect(screen.queryByRole("button", { name: "Load older notes" })).toBeNull();
  expect(document.activeElement?.id).toBe("note-e");
});

test("where the last page is empty, the last note has it", async () => {
  inbox([]);
  await older();
  expect(document.activeElement?.id).toBe("note-b");
});

const fetched = () => ["a", "b", "c", "d"].map(note);

test("when that fails, everything stays", async () => {
  useInbox.setState({ ...emptyInbox, status: "ready", notes: fetched() });
  const removeAll = async () => {
    throw new ApiFailure(0);
  };
  render(
    <InboxList
      conversations={{} as ConversationsFeed}
      feed={{ removeAll } as Partial<InboxFeed> as InboxFeed}
      username="some-body"
    />,
  );
  fireEvent.click(screen.getByRole("button", { name: "More" }));
  fireEvent.click(screen.getByRole("menuitem", { name: "Delete all" }));
  fireEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete all" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getAllByRole("article")).toHaveLength(4);
});

test.each([
  [false, [], "You’re offline. Check"],
  [false, ["a"], "You’re offline. This is your inbox as of 2:05"],
  [true, [], "The server isn’t responding. Try"],
  [true, ["a"], "The server isn’t responding. This is your inbox as of 2:05"],
])("without an answer, the browser being online: %s, with the notes %j", (isOnline, ids, words) => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  const asOf = new Date().setHours(14, 5);
  useInbox.setState({ ...emptyInbox, status: "offline", notes: ids.map(note), asOf });
  render(<InboxList conversations={{} as ConversationsFeed} feed={{} as InboxFeed} username="wildfox" />);
  expect(screen.getByRole("status").textContent).toContain(words);
});

test("a deleted note leaves the way to undo it, and the focus goes on when that is over", async () => {
  useInbox.setState({ ...emptyInbox, status: "ready", notes: ["a", "b"].map(note) });
  const change = (id: string, to?: "undoable" | "promised") =>
    useInbox.setState((inbox) => withDeletion(inbox, id, to));
  const feed = { remove: (id: string) => change(id, "undoable"), undoRemoval: (id: string) => change(id) };
  render(
    <InboxList
      conversations={{} as ConversationsFeed}
      feed={feed as Partial<InboxFeed> as InboxFeed}
      username="wildfox"
    />,
  );
  const remove = async (at: number) => {
    await act(async () =>
      fireEvent.click(screen.getAllByRole("button", { name: /^More for the note/ })[at] as HTMLElement),
    );
    await act(async () => fireEvent.click(screen.getByRole("menuitem", { name: "Delete" })));
  };
  await remove(0);
  const undo = screen.getByRole("button", { name: "Undo", description: "Note deleted" });
  expect(document.activeElement).toBe(undo);
  expect(screen.getAllByRole("article")).toHaveLength(1);
  await act(async () => fireEvent.click(undo));
  expect(document.activeElement?.id).toBe("note-a");
  await remove(0);
  act(() => change("a", "promised"));
  expect(document.activeElement?.id).toBe("note-b");
  await remove(0);
  act(() => change("b", "promised"));
  expect(document.activeElement?.textContent).toBe("My Inbox");
});

const talk = (id: string, more: Partial<Conversation>): Conversation => ({
  id,
  note: { message: `words of ${id}`, date: "2026-01-01 10:00:00" },
  unread: 0,
  open: true,
  expires: "2026-12-20 18:05:09",
  ...more,
});

const said = (from: "owner" | "sender", message: string) =>
  ({ seq: 1, id: "1", from, message, time: "2026-01-02 10:00:00", seen: true }) as Conversation["last"];

describe("a note and its conversation are one card", () => {
  const asked = (id: string): Note => ({ ...note(id), conversation: `talk-${id}` });
  const card = (words: string) => screen.getByText(words).closest("article") as HTMLElement;
  const markSeen = vi.fn(async () => {});

  beforeEach(() => {
    markSeen.mockClear();
    const notes = [asked("a"), { ...asked("b"), seen: false }, asked("c"), note("d")];
    useInbox.setState({ ...emptyInbox, status: "ready", notes });
    const conversations = [
      talk("talk-a", { last: said("sender", "And who are you?"), unread: 2 }),
      talk("talk-b", { last: said("owner", "I remember it well.") }),
    ];
    useConversations.setState({ conversations, hasOlder: false, isLoaded: true });
    render(
      <MemoryRouter>
        <InboxList
          conversations={{} as ConversationsFeed}
          feed={{ markSeen } as Partial<InboxFeed> as InboxFeed}
          username="wildfox"
        />
      </MemoryRouter>,
    );
  });

  test("the newest line stands under the note, with what is new", () => {
    const first = within(card("words of a"));
    const line = first.getByRole("link", {
      name: /^Open the conversation about “words of talk-a”: And who are you\?$/,
    });
    expect(line.lastChild?.textContent).toBe("And who are you?");
    expect(first.getByText("2 new")).toBeTruthy();
    expect(first.getByRole("link", { name: /^Answer the note/ })).toBeTruthy();
    expect(first.queryByRole("button", { name: /^Capture/ })).toBeNull();
  });

  test("answered means seen, on whatever device", () => {
    expect(within(card("words of b")).getByText("Answered")).toBeTruthy();
    expect(markSeen.mock.calls).toEqual([["b"]]);
  });

  test("one that has ended says so, and a note without one is captured", () => {
    const ended = within(card("words of c"));
    expect(ended.getByText("Ended")).toBeTruthy();
    expect(ended.queryByRole("link", { name: /^Answer the note/ })).toBeNull();
    expect(within(card("words of d")).getByRole("button", { name: /^Capture/ })).toBeTruthy();
  });

  test("what is searched for stands in the note or in its newest line", async () => {
    fireEvent.click(screen.getByRole("button", { name: "Search" }));
    const box = screen.getByRole("searchbox", { name: "Search your notes" });
    const found = (wanted: string) => {
      fireEvent.change(box, { target: { value: wanted } });
      return screen.queryAllByRole("article").map(({ id }) => id);
    };
    expect(found("WORDS of c")).toEqual(["note-c"]);
    expect(found("remember")).toEqual(["note-b"]);
    expect(found("nothing of it")).toEqual([]);
    expect(screen.getByText("Nothing here has “nothing of it” in it.")).toBeTruthy();
  });
});
