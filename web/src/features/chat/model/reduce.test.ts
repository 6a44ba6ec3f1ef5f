import { expect, test } from "vitest";
import type { Schemas } from "@/shared/api/api";
import { ownMessage } from "../sending/messages";
import { chatFrame as chat, dice, FakeRoom, noticeFrame } from "../testing/fakeRoom";
import type { ChatState, Message } from "./chat";
import type { ChatFrame, Frame, LogFrame } from "./frames";
import { reduceAll } from "./reduce";
import {
  changed,
  dismissed,
  opened,
  queued,
  reloaded,
  stillTyping,
  withOlder,
  withSeats,
} from "./transitions";

const ME = "🦊";

function room(data: Partial<Schemas["RoomData"]> = {}): ChatState {
  const page = new FakeRoom().page(200);
  const start = { data: { ...page, ...data }, me: ME, amCreator: false, expiresAt: 0 };
  return opened(start);
}

const retract = (seq: number, message_seq: number): LogFrame => ({
  event: "event.unsend",
  id: `id-${message_seq}`,
  message_seq,
  seq,
});
const own = (id: string, words = id) =>
  ownMessage(ME, { id, words, picture: null, reply: null, at: 5 }, { state: "sending" });
const seqs = ({ lines }: ChatState) => lines.map(({ seq }) => seq);
const after = (state: ChatState, ...frames: Frame[]) => reduceAll(state, frames, 0);
const messages = ({ lines }: ChatState) => lines.filter((line): line is Message => line.kind === "message");

test("a state that was given out doesn't change, and an unchanged line stays the same object", () => {
  const before = after(room(), chat(1), chat(2));
  const kept = structuredClone(before.lines);
  const state = after(before, chat(4), retract(5, 2), chat(0));
  expect(before.lines).toEqual(kept);
  expect(state.lines[1]).toBe(before.lines[0]);
  expect(state.lines[2]).not.toBe(before.lines[1]);
});

test("one's own echo takes the pending line's place, under the same key", () => {
  const pending = queued(queued(room(), own("a")), own("b"));
  const state = after(pending, chat(1), chat(2, { id: "a", sender: ME, message: "a" }));
  expect(state.lines.map(({ key }) => key)).toEqual(["1", "a", "b"]);
  expect(messages(state).map(({ delivery }) => delivery.state)).toEqual(["sent", "sent", "sending"]);
  const again = after(state, chat(2, { id: "a", sender: ME, message: "a" }));
  expect(again.lines).toBe(state.lines);
});

test("an id says nothing about another sender's message", () => {
  const state = after(queued(room(), own("a")), chat(1, { id: "a" }));
  expect(state.lines.map(({ key }) => key)).toEqual(["1", "a"]);
});

test("a message that was taken back loses words, picture and caption, and so do its quotes", () => {
  const image = chat(1, { event: "event.image", message: "", caption: "look", image_src: "/full" });
  const quote = ["🐶", "Photo", 1, "/tiny"] as unknown as ChatFrame["reply"];
  const pending = queued(room(), {
    ...own("a"),
    reply: { sender: "🐶", words: "Photo", seq: 1, picture: "/tiny" },
  });
  const state = after(pending, image, chat(2, { reply: quote }), retract(3, 1));
  const [gone, answer, mine] = messages(state);
  expect(gone).toMatchObject({ words: "", picture: null, retracted: true });
  expect(answer?.reply).toEqual({ sender: "🐶", words: "", seq: 1, picture: "" });
  expect(answer?.words).toBe("words 2");
  expect(mine?.reply?.words).toBe("");
});

test("a message that was taken back stays so, even if an older copy arrives later", () => {
  const state = after(room(), retract(2, 1), chat(1));
  expect(messages(state)[0]).toMatchObject({ words: "", retracted: true });
  const older = withOlder(
    { ...room(), hasOlder: true, retracted: new Set([1]) },
    { messages: [chat(1)], has_older: false, last_seq: 2 },
  );
  expect(messages(older)[0]?.retracted).toBe(true);
  const again = after(room(), chat(1), chat(1, { message: "", unsent: true }));
  expect(messages(again)[0]).toMatchObject({ words: "", retracted: true });
});

test("`lastSeq` doesn't pass a removal before its notice has arrived", () => {
  const cut = after(room({ last_seq: 4 }), retract(5, 1), retract(5, 2));
  expect(cut.lastSeq).toBe(4);
  expect(after(cut, retract(5, 1), noticeFrame(5, "🐶 removed")).lastSeq).toBe(5);
});

test("members and the lock follow their newest notices, and everybody who is connected is a member", () => {
  const state = room({ members: [ME, "🐶"], last_seq: 10 });
  expect(after(state, noticeFrame(11, "🐱 joined")).members).toEqual([ME, "🐶", "🐱"]);
  expect(after(state, noticeFrame(12, "🐶 left"), noticeFrame(11, "🐶 joined")).members).toEqual([ME]);
  expect(after(state, noticeFrame(9, "🐶 left")).members).toEqual([ME, "🐶"]);
  const present = after(state, { event: "event.active-users", active_users: ["🐶", "🐼"] });
  expect(present.active).toEqual(["🐶", "🐼"]);
  expect(present.members).toEqual([ME, "🐶", "🐼"]);
  const locked = after(room(), noticeFrame(1, "locked"));
  expect(locked.room.locked).toBe(true);
  expect(after(locked, noticeFrame(2, "unlocked")).room.locked).toBe(false);
});

test("a list of seats replaces older notices, and newer notices replace it", () => {
  const state = after(room({ last_seq: 5, members: [ME] }), noticeFrame(7, "🐱 joined"));
  const data = { ...new FakeRoom().page(1), members: [ME, "🐶"], last_seq: 6 };
  expect(withSeats(state, data).members).toEqual([ME, "🐶", "🐱"]);
  expect(withSeats(state, { ...data, last_seq: 8 }).members).toEqual([ME, "🐶"]);
});

test("typing ends with time or with a message, and one's own isn't shown", () => {
  const typing = (sender: string): Frame => ({ event: "event.typing", sender });
  const state = reduceAll(after(room(), typing("🐶")), [typing("🐱")], 1000);
  expect([...after(state, typing(ME)).typing.keys()]).toEqual(["🐶", "🐱"]);
  expect([...stillTyping(state, 4500).typing.keys()]).toEqual(["🐱"]);
  expect(stillTyping(state, 2000)).toBe(state);
  expect([...after(state, chat(1)).typing.keys()]).toEqual(["🐱"]);
});

test("messages out of view are unread from the first one on, but not own or old lines", () => {
  const away = { ...room({ last_seq: 1 }), seesEnd: false };
  const state = after(away, chat(2, { sender: ME }), noticeFrame(3, "🐱 joined"), chat(4), chat(5), chat(1));
  expect(state).toMatchObject({ unread: 2, unreadFrom: "4" });
  expect(after({ ...state, unread: 0 }, chat(6))).toMatchObject({ unread: 1, unreadFrom: "6" });
  expect(queued(state, own("a"))).toMatchObject({ unread: 0, unreadFrom: undefined });
  expect(after(room({ last_seq: 1 }), chat(2)).unread).toBe(0);
});

test("a line from before the first one isn't shown, because there would be a gap", () => {
  const state = room({ messages: [chat(300)], last_seq: 300, has_older: true });
  expect(state.hasOlder).toBe(true);
  const echoed = after(queued(state, own("a")), chat(7, { id: "a", sender: ME }));
  expect(seqs(echoed)).toEqual([300]);
});

test("loading anew starts over, and keeps messages that are on their way or came since", () => {
  const before = after({ ...room({ last_seq: 1, messages: [chat(1)] }), seesEnd: false }, chat(302));
  const pending = queued(queued(before, own("a")), own("b"));
  const page = [chat(299), chat(300, { sender: ME, id: "a" })];
  const data = { ...new FakeRoom().page(200), messages: page, last_seq: 301, has_older: true };
  const state = reloaded(pending, data);
  expect(state.lines.map(({ key }) => key)).toEqual(["299", "a", "302", "b"]);
  expect(state).toMatchObject({ lastSeq: 302, hasOlder: true });
});

test("if the server's log is shorter than the lines that were seen, the newer lines are dropped", () => {
  const before = queued(
    after(room({ last_seq: 0 }), chat(1), chat(2), noticeFrame(3, "🐱 joined"), retract(4, 2)),
    own("a"),
  );
  const ready: Frame = { event: "event.ready", last_seq: 1, resumed: false };
  const state = after(before, ready);
  expect(state.lines.map(({ key }) => key)).toEqual(["1", "a"]);
  expect(state.lastSeq).toBe(1);
  const other = after(state, chat(2, { message: "anew" }), noticeFrame(3, "🐱 left"));
  expect(messages(other)[1]).toMatchObject({ words: "anew", retracted: false });
  expect(after(before, { ...ready, last_seq: 900 }).lines).toBe(before.lines);
});

test("a message is changed in its place, and dismissed only while it has no `seq`", () => {
  const state = after(queued(queued(room(), own("a")), own("b")), chat(1, { sender: ME, id: "a" }));
  expect(messages(changed(state, "a", { uploaded: true }))[0]?.uploaded).toBe(true);
  expect(changed(state, "x", { uploaded: true })).toBe(state);
  expect(dismissed(state, "a")).toBe(state);
  expect(dismissed(state, "b").lines).toHaveLength(1);
});

/** The frames of a room whose members do random things, and the room itself with its state at the end. */
function story(random: () => number) {
  const server = new FakeRoom();
  const emojis = [ME, "🐶", "🐱", "🐼"];
  const frames: Frame[] = [];
  const pick = <Item>(items: Item[]) => items[Math.floor(random() * items.length)] as Item;
  for (let step = 0; step < 120; step += 1) {
    const at = server.log.length;
    const roll = random();
    const { messages } = server;
    if (roll < 0.15) server.notify(`${pick(emojis)} ${pick(["joined", "left", "removed"])}`);
    else if (roll < 0.3 && messages.length > 0) {
      const { sender, id } = pick(messages);
      server.retract(sender, id);
    } else {
      const quoted = random() < 0.3 ? pick([...messages, undefined]) : undefined;
      const reply = (quoted ? [quoted.sender, quoted.message, quoted.seq, ""] : null) as ChatFrame["reply"];
      server.post(pick(emojis), `id-${step}`, `words ${step}`, { reply: quoted?.unsent ? null : reply });
    }
    // The frames are copied as they were sent: the room changes a message in its log when it is taken back later.
    frames.push(...structuredClone(server.log.slice(at)));
  }
  return { server, frames };
}

function shuffled<Item>(items: Item[], random: () => number): Item[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other] as Item, all[at] as Item];
  }
  return all;
}

test.each(Array.from({ length: 60 }, (_, seed) => seed))(
  "story %i ends with the same state, in whatever order its frames arrive",
  (seed) => {
    const random = dice(seed);
    const { server, frames } = story(random);
    const arriving = shuffled([...frames, ...frames.filter(() => random() < 0.4)], random);
    let state = room({ last_seq: 0, members: [] });
    while (arriving.length > 0) state = reduceAll(state, arriving.splice(0, 1 + Math.floor(random() * 9)), 0);

    expect(seqs(state)).toEqual(server.lines.map(({ seq }) => seq));
    const taken = new Set(server.messages.filter(({ unsent }) => unsent).map(({ seq }) => seq));
    const shown = messages(state);
    server.messages.forEach((frame, at) => {
      expect(shown[at]).toMatchObject({
        id: frame.id,
        words: frame.message,
        retracted: frame.unsent ?? false,
      });
      const quoted = frame.reply?.[2] as number | undefined;
      const words = quoted === undefined ? undefined : taken.has(quoted) ? "" : String(frame.reply?.[1]);
      expect(shown[at]?.reply?.words).toBe(words);
    });
    expect(new Set(state.members)).toEqual(membersAfter(server));
    expect(new Set(state.lines.map(({ key }) => key)).size).toBe(state.lines.length);
  },
);

function membersAfter(server: FakeRoom): Set<string> {
  const members = new Set<string>();
  for (const frame of server.log) {
    if (frame.event !== "event.notify" || !frame.emoji) continue;
    if (frame.code === "joined") members.add(frame.emoji);
    else members.delete(frame.emoji);
  }
  return members;
}

/** A room with `count` messages, and the frames that take all of them back. */
function manyLines(count: number) {
  const data = Array.from({ length: count }, (_, at) => chat(at + 1));
  const frames = data.map(({ seq }) => retract(count + 1, seq));
  frames.push(noticeFrame(count + 1, "🐶 removed"));
  return { before: room({ messages: data, last_seq: count }), frames };
}

/** The shortest of five runs, which another program has disturbed least. */
function shortest(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times);
}

test("ten times as many lines are taken back in about ten times the time", () => {
  const [few, many] = [manyLines(1000), manyLines(10_000)];
  const [once, tenfold] = [few, many].map(({ before, frames }) => shortest(() => after(before, ...frames)));
  // With a search for each line it would be a hundred times.
  expect(tenfold).toBeLessThan(40 * (once ?? 0));

  const emptied = after(many.before, ...many.frames);
  expect(messages(emptied).every(({ retracted }) => retracted)).toBe(true);
  expect([emptied.retracted.size, many.before.retracted.size]).toEqual([10_000, 0]);
});

test("a line more costs about as much behind ten thousand lines as behind a thousand", () => {
  const lines = [1000, 10_000].map((count) => ({ count, before: manyLines(count).before }));
  const [behindFew, behindMany] = lines.map(({ count, before }) =>
    shortest(() => {
      let state = before;
      for (let seq = count + 1; seq <= count + 200; seq += 1) state = after(state, chat(seq));
      expect(state.lines).toHaveLength(count + 200);
    }),
  );
  // The list is copied, so it isn't quite the same.
  expect(behindMany).toBeLessThan(20 * (behindFew ?? 0));
});

function react(seq: number, message: number, ...from: string[]): Frame {
  const reactions = from.length > 0 ? [{ emoji: "👍", count: from.length, from }] : [];
  return { event: "event.react", message, reactions, seq };
}

test("the newest reactions count, whether a frame or a page has them, and in whatever order", () => {
  const of = (state: ChatState) => state.reacted.get(1)?.reactions.flatMap(({ from }) => from) ?? [];
  const reactions = (...from: string[]) => [{ emoji: "👍", count: from.length, from }];
  const before = room({ messages: [chat(1, { reactions: reactions("🐶") })], last_seq: 4 });
  expect(of(before)).toEqual(["🐶"]);
  const state = after(before, react(6, 1, "🐶", "🐱"), react(5, 1));
  expect([of(state), state.lastSeq, of(before)]).toEqual([["🐶", "🐱"], 5, ["🐶"]]);
  const page = { ...new FakeRoom().page(9), messages: [chat(1)], has_older: false };
  expect(of(reloaded(state, { ...page, last_seq: 5 }))).toEqual(["🐶", "🐱"]);
  expect(of(reloaded(state, { ...page, last_seq: 7 }))).toEqual([]);
  // A reaction may come before the page that has its message.
  const early = after({ ...room(), hasOlder: true }, react(8, 1, "🐱"));
  expect(
    of(withOlder(early, { ...page, messages: [chat(1, { reactions: reactions("🐶") })], last_seq: 7 })),
  ).toEqual(["🐱"]);
  expect(after(state, retract(8, 1), react(7, 1, "🐶")).reacted.size).toBe(0);
});
