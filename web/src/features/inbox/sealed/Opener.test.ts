import { waitFor } from "@testing-library/dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { encoded } from "@/shared/base64url";
import { keep } from "@/shared/sealing/inboxKey";
import { lineKeyOf, sealLine } from "@/shared/sealing/lines";
import { newInboxKey } from "@/shared/sealing/newInboxKey";
import { sealNote } from "@/shared/sealing/notes";
import { useOwnSeal } from "@/shared/session/ownSeal";
import { keysKept } from "@/shared/testing/keyStore";
import { type Conversation, useConversations } from "../ConversationsFeed";
import { emptyInbox, type Note, useInbox } from "../inboxStore";
import { showHeld, shownNote, shownTalk, useOpened } from "./opened";
import { openWhatIsSealed } from "./openWhatIsSealed";

vi.mock("@/shared/sealing/keyStore", () => import("@/shared/testing/keyStore"));

const ME = "wildfox";
const TARGET = "0b9c1f4e-6f5a-4f0e-9a39-0f6b4a3f5b11";
const CONTENT_KEY = encoded(new Uint8Array(32).fill(7));

let publicKey: string;
let stop: () => void;

const standing = (here: "yes" | "no" | "other") =>
  useOwnSeal.setState({
    username: ME,
    here,
    seal: { key: publicKey, wrapped: "", on: true, open_notes: false },
  });

beforeEach(async () => {
  keysKept.clear();
  useInbox.setState({ ...emptyInbox, status: "ready", heldWords: [] }, true);
  const made = await newInboxKey();
  publicKey = made.publicKey;
  await keep(ME, made.key, made.pkcs8);
  standing("yes");
  stop = openWhatIsSealed(ME);
});

afterEach(() => {
  stop();
  useInbox.setState(emptyInbox, true);
  useConversations.setState({ conversations: [], hasOlder: false, isLoaded: false });
});

async function note(id: string, m: string, more: Partial<Note> & { f?: boolean; key?: string } = {}) {
  const { f = false, key = publicKey, ...rest } = more;
  const message = await sealNote(key, TARGET, { m, f });
  const date = "2026-01-01 10:00:00";
  return { id, message, sealed: TARGET, seen: false, only_for_you: false, date, ...rest } satisfies Note;
}

const list = (...notes: Note[]) => useInbox.setState({ notes });
const shown = () =>
  useInbox.getState().notes.map((one) => shownNote(one, useOpened.getState().notes[one.id]));
const words = () => shown().map(({ message, closed }) => closed ?? message);

test("sealed notes are opened beside open ones, and what the list keeps stays sealed", async () => {
  const open: Note = { ...(await note("b", "")), message: "an open note" };
  delete open.sealed;
  const sealed = await note("a", "a secret", { f: true });
  list(sealed, open);
  expect(words()).toEqual(["opening", "an open note"]);
  await waitFor(() => expect(words()).toEqual(["a secret", "an open note"]));
  expect(shown().map(({ only_for_you }) => only_for_you)).toEqual([true, false]);
  expect(useInbox.getState().notes[0]).toBe(sealed);
});

test("what doesn't open says why: another target, another key, no key here, or an older one", async () => {
  const other = await newInboxKey();
  const moved = await note("a", "moved", { sealed: "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11" });
  const foreign = await note("b", "foreign", { key: other.publicKey });
  list(moved, foreign);
  await waitFor(() => expect(words()).toEqual(["broken", "broken"]));
  standing("other");
  await waitFor(() => expect(words()).toEqual(["stale", "stale"]));
  keysKept.clear();
  standing("no");
  await waitFor(() => expect(words()).toEqual(["keyless", "keyless"]));
  // The device gets the key, in whatever way.
  await keep(ME, other.key, other.pkcs8);
  standing("yes");
  await waitFor(() => expect(words()).toEqual(["broken", "foreign"]));
});

test("a note with a word that the owner doesn't want to meet stays closed until they want to see it", async () => {
  useInbox.setState({ heldWords: ["stupid"] });
  list(await note("a", "You are STUPID."), await note("b", "You are kind."));
  await waitFor(() => expect(words()).toEqual(["held", "You are kind."]));
  showHeld("a");
  expect(words()).toEqual(["You are STUPID.", "You are kind."]);
  // Opening it again doesn't close it, and another list of words does.
  standing("yes");
  list(...useInbox.getState().notes, await note("c", "third"));
  await waitFor(() => expect(words()).toEqual(["You are STUPID.", "You are kind.", "third"]));
  useInbox.setState({ heldWords: ["kind"] });
  await waitFor(() => expect(words()).toEqual(["You are STUPID.", "held", "third"]));
});

test("before the owner's words are known, nothing is shown", async () => {
  useInbox.setState({ heldWords: undefined as never });
  list(await note("a", "You are STUPID."));
  await import("./Opener");
  expect(words()).toEqual(["opening"]);
  useInbox.setState({ heldWords: ["stupid"] });
  await waitFor(() => expect(words()).toEqual(["held"]));
});

test("a conversation shows its note and its newest line, and what of it doesn't open", async () => {
  const begun = await sealNote(publicKey, TARGET, { m: "Do you remember?", f: false, k: CONTENT_KEY });
  const line = (id: string, from: "owner" | "sender", message: string) =>
    ({ seq: 1, id, from, message, seen: true, time: "2026-01-02 10:00:00" }) as Conversation["last"];
  const sealedLine = async (id: string, from: "owner" | "sender", said: string) =>
    sealLine(await lineKeyOf(CONTENT_KEY), { conversation: "talk", from, id }, said);
  const talk = (last: Conversation["last"]): Conversation => ({
    id: "talk",
    note: { message: `${begun}.copy`, date: "2026-01-01 10:00:00", sealed: TARGET },
    unread: 0,
    open: true,
    expires: "2026-12-20 18:05:09",
    last,
  });
  const show = (last: Conversation["last"]) => useConversations.setState({ conversations: [talk(last)] });
  const now = () => {
    const [talk] = useConversations.getState().conversations;
    const { note, last, closed, isLineClosed } = shownTalk(
      talk as Conversation,
      useOpened.getState().talks.talk,
    );
    return { note: note.message, last: last?.message, closed, isLineClosed };
  };
  show(line("1", "sender", await sealedLine("1", "sender", "It was raining.")));
  const open = { note: "Do you remember?", closed: undefined, isLineClosed: false };
  await waitFor(() => expect(now()).toEqual({ ...open, last: "It was raining." }));
  show(line("2", "owner", await sealedLine("2", "owner", "It was.")));
  await waitFor(() => expect(now()).toEqual({ ...open, last: "It was." }));
  // In another's name.
  show(line("3", "owner", await sealedLine("3", "sender", "I lied.")));
  await waitFor(() => expect(now()).toEqual({ ...open, last: "", isLineClosed: true }));
  show(line("4", "owner", ""));
  await waitFor(() => expect(now()).toEqual({ ...open, last: "" }));
});

test("who leaves the page leaves nothing open", async () => {
  list(await note("a", "a secret"));
  await waitFor(() => expect(words()).toEqual(["a secret"]));
  stop();
  expect(words()).toEqual(["opening"]);
});
