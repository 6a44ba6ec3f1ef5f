import { expect, test } from "vitest";
import {
  emptyInbox,
  type Note,
  withAnswer,
  withArrived,
  withFlags,
  withNewest,
  withOlder,
  withSeen,
} from "./inboxStore";

const note = (id: string, seen = false): Note => ({
  id,
  message: `note ${id}`,
  seen,
  only_for_you: false,
  date: "2026-01-01 10:00:00",
});
const ids = ({ notes }: { notes: Note[] }) => notes.map(({ id }) => id).join("");

test("the newest page fills an empty inbox", () => {
  const inbox = withNewest(emptyInbox, [note("c"), note("b")], 2, 2);
  expect(inbox).toMatchObject({ status: "ready", unread: 2, hasOlder: true });
  expect(ids(inbox)).toBe("cb");
  expect(withNewest(emptyInbox, [note("a")], 1, 2).hasOlder).toBe(false);
});

test("fetching again keeps the older notes it meets", () => {
  const before = { ...emptyInbox, notes: [note("c"), note("b"), note("a")], hasOlder: false };
  const after = withNewest(before, [note("d"), note("c", true)], 1, 2);
  expect(ids(after)).toBe("dcba");
  expect(after.hasOlder).toBe(false);
  expect(after.notes[1]?.seen).toBe(true);
});

test("fetching again after a long absence starts over rather than leave a gap", () => {
  const before = { ...emptyInbox, notes: [note("b"), note("a")], hasOlder: false };
  const after = withNewest(before, [note("f"), note("e")], 5, 2);
  expect(ids(after)).toBe("fe");
  expect(after.hasOlder).toBe(true);
});

test("a note deleted elsewhere is gone after fetching", () => {
  const before = { ...emptyInbox, notes: [note("c"), note("b"), note("a")] };
  expect(ids(withNewest(before, [note("c"), note("a")], 0, 2))).toBe("ca");
  expect(ids(withNewest(before, [], 0, 2))).toBe("");
});

test("older notes go to the end, none twice", () => {
  const before = { ...emptyInbox, notes: [note("d"), note("c")], hasOlder: true };
  const after = withOlder(before, [note("c"), note("b")], 2);
  expect(ids(after)).toBe("dcb");
  expect(after.hasOlder).toBe(true);
  expect(withOlder(after, [note("a")], 2).hasOlder).toBe(false);
});

test("a note that arrives stands on top, once", () => {
  const one = withArrived(emptyInbox, note("a"), 1);
  expect(ids(one)).toBe("a");
  expect(ids(withArrived(one, note("a"), 1))).toBe("a");
  expect(withArrived(one, note("b"), 2).unread).toBe(2);
});

test("seeing a note lowers the count once and never below nothing", () => {
  const before = { ...emptyInbox, notes: [note("a"), note("b", true)], unread: 1 };
  const seen = withSeen(before, "a");
  expect(seen.unread).toBe(0);
  expect(seen.notes[0]?.seen).toBe(true);
  expect(withSeen(seen, "a").unread).toBe(0);
  expect(withSeen(before, "b").unread).toBe(1);
});

test("a note is answered in public, and no longer, where it is in the list", () => {
  const answer = { id: "a", note: "note 2", answer: "yes", date: "2026-01-01 10:00:00" };
  const inbox = { ...emptyInbox, notes: [note("1"), note("2")] };
  const answered = withAnswer(inbox, "2", answer);
  expect(answered.notes).toEqual([note("1"), { ...note("2"), answer }]);
  expect(withAnswer(answered, "2", undefined).notes).toEqual(inbox.notes);
});

test("a note with other flags is where it belongs, and back in its place when that is undone", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) => note(id)) as [Note, Note, Note];
  const inbox = { ...emptyInbox, notes: [c, b, a] };
  const starred = withFlags(inbox, b, { starred: true }, 1);
  expect(starred.notes).toEqual([c, { ...b, starred: true }, a]);
  expect(withFlags(starred, { ...b, starred: true }, {}, 1).notes).toEqual([c, b, a]);
  const without = withFlags(inbox, b, { archived: true }, 1);
  expect(ids(without)).toBe("ca");
  expect(ids(withFlags(without, b, {}, 1))).toBe("cba");
  const archive = { ...emptyInbox, shelf: "archive" as const, notes: [{ ...a, archived: true }] };
  expect(ids(withFlags(archive, { ...a, archived: true }, {}, 0))).toBe("");
  const stars = { ...emptyInbox, shelf: "starred" as const, notes: [{ ...a, starred: true }] };
  expect(withFlags(stars, a, { starred: true, archived: true }, 0).notes[0]?.archived).toBe(true);
  expect(ids(withFlags(stars, a, { archived: true }, 0))).toBe("");
});

test("a note that arrives is not among those with a star, and counts", () => {
  const stars = { ...emptyInbox, shelf: "starred" as const };
  expect(withArrived(stars, note("a"), 1)).toEqual({ ...stars, unread: 1 });
});
