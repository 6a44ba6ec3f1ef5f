import { expect, test } from "vitest";
import type { Schemas } from "@/shared/api/api";
import { ApiFailure } from "@/shared/api/client";
import type { Code } from "@/shared/contract/codes";
import { LINES_UNANSWERED } from "@/shared/contract/limits";
import { refusalOf } from "@/shared/testing/refusalOf";
import { type Environment, newId, type PageListener } from "../environment";
import { EMOJI_OF, otherSide, type Side } from "../model/pair";
import { FakeClock } from "../testing/fakeRoom";
import type { ConversationCalls } from "./conversationCalls";
import { pageOf } from "./conversationCalls";
import { roomOf } from "./openConversation";

const ID = "cCx0aG6kmkSxJo1nC_Tevw";
const WAY_MS = 20;

/** Does what the server does, as far as a page can notice. */
class FakeConversation {
  readonly clock = new FakeClock();
  readonly sockets = new Set<FakeSocket>();
  lines: Schemas["LineItem"][] = [];
  events: { seq: number }[] = [];
  seq = 0;
  open = true;
  isUp = true;
  isOver = false;
  /** Answers to calls are lost, but what was asked for is done. */
  losesAnswers = false;
  posts = 0;
  /** Frames with lines are lost. */
  losesFrames = false;

  tell(frame: { event: string }) {
    this.seq += 1;
    const event = { ...frame, seq: this.seq };
    this.events.push(event);
    for (const socket of this.sockets) socket.deliver(event);
    return this.seq;
  }

  data(me: Side) {
    const note = { message: "the note", date: "2026-11-27 10:00:00" };
    const { lines, open, seq } = this;
    const rest = { open, last_seq: seq, has_older: false, unread: 0, expires: "2026-12-27 10:00:00" };
    return { id: ID, me, to: "wildfox", note, lines: lines.map((line) => ({ ...line })), ...rest };
  }

  react(me: Side, seq: number, emoji: string, on: boolean) {
    const line = this.lines.find((one) => one.seq === seq);
    if (!line) return;
    const others = (line.reactions ?? []).filter((reaction) => reaction.emoji !== emoji);
    const from = (line.reactions ?? []).find((reaction) => reaction.emoji === emoji)?.from ?? [];
    const now = [...from.filter((side) => side !== me), ...(on ? [me] : [])];
    line.reactions = [...others, ...(now.length > 0 ? [{ emoji, from: now }] : [])];
    this.tell({ event: "event.react", line: seq, reactions: line.reactions } as { event: string });
  }

  /** Says a line once, or returns why not. */
  say(me: Side, { id, message, reply }: Schemas["SayLine"]): Code | undefined {
    if (this.lines.some((line) => line.id === id && line.from === me)) return undefined;
    if (!this.open) return "conversation_closed";
    const answered = this.lines.findLastIndex(({ from }) => from === "owner");
    if (me === "sender" && this.lines.length - 1 - answered >= LINES_UNANSWERED) return "wait_for_answer";
    const quoted = this.lines.find(({ seq }) => seq === reply);
    const quote = quoted && { seq: quoted.seq, from: quoted.from, message: quoted.message };
    const time = "2026-11-27 10:00:01";
    const line = { id, from: me, message, time, seen: false, ...(quote && { reply: quote }) };
    this.lines.push({ ...line, seq: this.tell({ event: "event.line", ...line } as { event: string }) });
    return undefined;
  }

  calls(me: Side): ConversationCalls {
    const answer = async (give: () => unknown): Promise<never> => {
      await new Promise<void>((resolve) => this.clock.later(resolve, WAY_MS));
      if (!this.isUp) throw new ApiFailure(0);
      if (this.isOver) throw new ApiFailure(404, refusalOf("no_such_conversation"));
      const given = give();
      await new Promise<void>((resolve) => this.clock.later(resolve, WAY_MS));
      if (this.losesAnswers) throw new ApiFailure(0);
      return given as never;
    };
    const refuse = (status: number, code: Code) => {
      throw new ApiFailure(status, refusalOf(code));
    };
    return {
      page: () => answer(() => pageOf(this.data(me))),
      refusal: async () => (this.isOver ? "expired" : undefined),
      say: (line) =>
        answer(() => {
          this.posts += 1;
          const code = this.say(me, line);
          if (code) refuse(409, code);
          return {};
        }),
      unsend: (seq) =>
        answer(() => {
          const line = this.lines.find((one) => one.seq === seq);
          if (!line || line.from !== me) refuse(404, "no_such_line");
          if (line?.message === "too late") refuse(409, "too_late_to_unsend");
          Object.assign(line ?? {}, { message: "", unsent: true });
          this.tell({ event: "event.unsend", line: seq } as { event: string });
        }),
      setUp: () =>
        answer(() => {
          this.open = false;
          this.tell({ event: "event.open", open: false } as { event: string });
        }),
      close: () => answer(() => this.end()),
      leave: () => answer(() => this.end()),
    };
  }

  end() {
    this.isOver = true;
    for (const socket of this.sockets) {
      socket.deliver({ event: "event.closed", ...refusalOf("conversation_ended") });
      socket.end(4410);
    }
  }

  goDown() {
    this.isUp = false;
    for (const socket of this.sockets) socket.end(1006);
  }
}

type Sent = {
  event: string;
  since?: number;
  seq?: number;
  id?: string;
  message?: string;
  reply?: number;
  line?: number;
  emoji?: string;
  on?: boolean;
};

class FakeSocket {
  readyState = 0;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number }) => void;
  private readonly server: FakeConversation;
  private readonly side: Side;

  constructor(server: FakeConversation, protocols: string[]) {
    this.server = server;
    this.side = protocols[0] === "bearer" ? "owner" : "sender";
    this.later(() => {
      if (!server.isUp || server.isOver) return this.end(1006);
      this.readyState = 1;
      server.sockets.add(this);
      this.onopen?.();
    });
  }

  send(text: string) {
    this.later(() => this.receive(JSON.parse(text)));
  }

  private receive({
    event,
    since,
    seq,
    id = "",
    message = "",
    reply,
    line = 0,
    emoji = "",
    on = true,
  }: Sent) {
    if (this.readyState !== 1) return;
    if (event === "event.typing")
      for (const other of this.server.sockets)
        if (other.side !== this.side) other.deliver({ event, from: this.side });
    if (event === "event.react") this.server.react(this.side, line, emoji, on);
    if (event === "event.line" && !this.server.losesFrames) {
      const code = this.server.say(this.side, { id, message, ...(reply !== undefined && { reply }) });
      if (code) this.deliver({ event: "event.error", id, ...refusalOf(code) });
    }
    if (event === "event.connect") {
      const missed = this.server.events.filter((one) => one.seq > (since ?? 0));
      for (const one of missed) this.deliver(one);
      this.deliver({ event: "event.ready", last_seq: this.server.seq, resumed: true });
    }
    if (event === "event.seen") this.server.tell({ event, from: this.side, upto: seq } as { event: string });
  }

  close() {
    this.readyState = 3;
    this.server.sockets.delete(this);
  }

  end(code: number) {
    this.close();
    this.later(() => this.onclose?.({ code }));
  }

  deliver(frame: object) {
    const data = JSON.stringify(frame);
    this.later(() => this.onmessage?.({ data }));
  }

  private later(run: () => void) {
    this.server.clock.later(run, WAY_MS);
  }
}

class Talker {
  readonly errors: string[] = [];
  readonly kept = new Map<string, string>();
  isVisible = true;
  page: PageListener | undefined;
  signedOut = 0;
  readonly room;

  constructor(server: FakeConversation, side: Side, kept = new Map<string, string>()) {
    this.kept = kept;
    const { clock } = server;
    const environment = {
      socket: { open: () => undefined, later: clock.later, cancel: clock.cancel, random: () => 0.5 },
      now: () => clock.now,
      newId,
      storage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => void kept.set(key, value),
        removeItem: (key: string) => void kept.delete(key),
      },
      page: {
        isOnline: () => true,
        isVisible: () => this.isVisible,
        isFocused: () => true,
        listen: (listener: PageListener) => {
          this.page = listener;
          return () => {};
        },
      },
      kept: { all: async () => [], forget: async () => {}, drop: async () => {} },
      showError: (words: string) => this.errors.push(words),
      playSent: () => {},
      playArrived: () => {},
      notify: () => {},
    } as unknown as Environment;
    const data = pageOf(server.data(side));
    const start = { data, me: EMOJI_OF[side], amCreator: false, expiresAt: Number.POSITIVE_INFINITY };
    const access = side === "owner" ? { token: "t" } : { key: "k" };
    const open = (protocols: string[]) => new FakeSocket(server, protocols) as unknown as WebSocket;
    const signedOut = () => {
      this.signedOut += 1;
    };
    this.room = roomOf({ start, access }, signedOut, { environment, calls: server.calls(side), open });
    this.room.start();
  }

  get state() {
    return this.room.store.getState();
  }

  get messages() {
    return this.state.lines.filter((line) => line.kind === "message");
  }

  /** The words of the lines, in order; of each how far it is. */
  get said() {
    return this.messages.map(({ words, delivery, retracted }) =>
      retracted ? "-" : `${words} ${delivery.state}`,
    );
  }

  with(words: string) {
    const found = this.messages.find((message) => message.words === words);
    if (!found) throw new Error(`nobody said ${words}`);
    return found;
  }
}

async function both() {
  const server = new FakeConversation();
  const [owner, sender] = [new Talker(server, "owner"), new Talker(server, "sender")];
  await server.clock.pass(500);
  return { server, clock: server.clock, owner, sender };
}

test("each side sees at once what the other says, and that its own lines were seen", async () => {
  const { server, clock, owner, sender } = await both();
  owner.isVisible = false;
  owner.page?.visibilityChanged();
  sender.room.send("hello");
  expect(sender.said).toEqual(["hello sending"]);
  await clock.pass(500);
  for (const one of [owner, sender]) expect(one.said).toEqual(["hello sent"]);
  expect(owner.messages[0]).toMatchObject({ mine: false, sender: EMOJI_OF.sender });
  expect([sender.state.pair?.seen, owner.state.unread]).toEqual([0, 1]);
  owner.isVisible = true;
  owner.page?.visibilityChanged();
  owner.page?.woke();
  await clock.pass(500);
  expect(sender.state.pair?.seen).toBe(sender.with("hello").seq);
  owner.room.send("hi");
  await clock.pass(500);
  expect(owner.state.pair?.seen).toBe(owner.with("hi").seq);
  expect(server.posts).toBe(0);
  // The list of groups must not take it for a group.
  expect([...sender.kept.keys(), ...owner.kept.keys()]).toEqual([]);
});

test("each sees the other type, and what a line answers and is thought of, also after a reload", async () => {
  const { server, clock, owner, sender } = await both();
  sender.room.typing();
  await clock.pass(500);
  expect([...owner.state.typing.keys()]).toEqual([EMOJI_OF.sender]);
  expect(sender.state.typing.size).toBe(0);
  sender.room.send("will you play again");
  await clock.pass(500);
  expect(owner.state.typing.size).toBe(0);
  owner.room.send("on friday", owner.with("will you play again"));
  await clock.pass(500);
  const quote = { sender: EMOJI_OF.sender, words: "will you play again" };
  for (const one of [owner, sender]) expect(one.with("on friday").reply).toMatchObject(quote);
  const { seq } = sender.with("on friday");
  sender.room.react({ seq }, "❤️");
  await clock.pass(500);
  owner.room.react({ seq }, "❤️");
  await clock.pass(500);
  const again = new Talker(server, "sender");
  const heart = { sign: "❤️", from: [EMOJI_OF.sender, EMOJI_OF.owner] };
  for (const one of [owner, sender, again]) {
    expect(one.state.reacted.get(seq ?? 0)?.reactions).toEqual([heart]);
    expect(one.state.wished.size).toBe(0);
  }
  expect(again.with("on friday").reply).toMatchObject(quote);
  owner.room.retract(owner.with("on friday"));
  await clock.pass(500);
  expect(sender.state.reacted.has(seq ?? 0)).toBe(false);
});

test("what is said without a connection is kept over a reload, and arrives once", async () => {
  const { server, clock, sender, owner } = await both();
  server.goDown();
  await clock.pass(100);
  sender.room.send("kept");
  await clock.pass(300);
  sender.room.stop();
  const again = new Talker(server, "sender", sender.kept);
  expect(again.said).toEqual(["kept sending"]);
  server.isUp = true;
  server.losesAnswers = true;
  await clock.pass(30_000);
  server.losesAnswers = false;
  await clock.pass(30_000);
  for (const one of [owner, again]) expect(one.said).toEqual(["kept sent"]);
  expect(server.lines).toHaveLength(1);
  expect([...again.kept.keys()]).toEqual([]);
});

test("a line that the socket doesn't answer goes by a call, once", async () => {
  const { server, clock, sender, owner } = await both();
  server.losesFrames = true;
  sender.room.send("lost");
  await clock.pass(20_000);
  for (const one of [owner, sender]) expect(one.said).toEqual(["lost sent"]);
  expect([server.posts, server.lines.length]).toEqual([1, 1]);
  server.losesFrames = false;
  sender.room.send("found");
  await clock.pass(500);
  expect([server.posts, owner.said]).toEqual([1, ["lost sent", "found sent"]]);
});

test("a fourth line in a row waits, and goes out when the owner has answered", async () => {
  const { server, clock, sender, owner } = await both();
  for (const words of ["1", "2", "3", "4"]) sender.room.send(words);
  await clock.pass(2000);
  expect(sender.said).toEqual(["1 sent", "2 sent", "3 sent", "4 failed"]);
  expect(sender.messages[3]?.delivery).toMatchObject({ why: expect.stringContaining("Wait for an answer") });
  owner.room.send("go on");
  await clock.pass(2000);
  expect(sender.said).toEqual(["1 sent", "2 sent", "3 sent", "go on sent", "4 sent"]);
  expect(server.lines.map(({ message }) => message)).toEqual(["1", "2", "3", "go on", "4"]);
});

test("one unsends one's own lines, and a refusal is shown", async () => {
  const { clock, sender, owner } = await both();
  sender.room.send("oops");
  sender.room.send("too late");
  await clock.pass(1000);
  sender.room.retract(sender.with("oops"));
  await clock.pass(300);
  for (const one of [owner, sender]) expect(one.said).toEqual(["-", "too late sent"]);
  sender.room.retract(sender.with("too late"));
  await clock.pass(300);
  expect(sender.said).toEqual(["-", "too late sent"]);
  expect(sender.errors).toEqual([expect.stringContaining("5 minutes")]);
});

test("a closed conversation stays, and nothing more is said in it", async () => {
  const { clock, sender, owner } = await both();
  sender.room.send("hello");
  await clock.pass(300);
  await clock.pass(300, owner.room.lock(true));
  for (const one of [owner, sender]) expect(one.state.pair?.isOpen).toBe(false);
  sender.room.send("late");
  await clock.pass(500);
  expect(sender.said).toEqual(["hello sent", "late failed"]);
  expect(sender.state.ended).toBeUndefined();
});

test.each(["owner", "sender"] as const)(
  "the %s ends it for both, also for a page that was away",
  async (side) => {
    const { server, clock, owner, sender } = await both();
    const [one, other] = side === "owner" ? [owner, sender] : [sender, owner];
    other.room.keepDraft({ words: "half a", replyTo: undefined });
    const away = new Talker(server, otherSide(side));
    away.room.stop();
    await clock.pass(300, one.room.close());
    expect([one.state.ended, other.state.ended]).toEqual(["deleted", "expired"]);
    expect([...other.kept.keys()]).toEqual([]);
    away.room.start();
    await clock.pass(3000);
    expect(away.state.ended).toBe("expired");
  },
);

test("an owner whose sign-in has ended signs in again, and the conversation isn't over", async () => {
  const { server, clock, owner } = await both();
  for (const socket of server.sockets) socket.deliver({ event: "event.closed", ...refusalOf("signed_out") });
  await clock.pass(300);
  expect([owner.signedOut, owner.state.ended]).toEqual([1, undefined]);
});
