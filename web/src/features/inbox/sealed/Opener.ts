import type { InboxKey } from "@/shared/sealing/hpke";
import { privateKeyOf } from "@/shared/sealing/inboxKey";
import { lineKeyOf, openLine } from "@/shared/sealing/lines";
import { openNote } from "@/shared/sealing/notes";
import { useOwnSeal } from "@/shared/session/ownSeal";
import { type Conversation, useConversations } from "../ConversationsFeed";
import { type Note, useInbox } from "../inboxStore";
import { hasHeldWord } from "./heldWords";
import { type Closed, nothingOpened, type Opened, type OpenedTalk, useOpened } from "./opened";

/** Opens what is sealed in the inbox, as soon as it is there, and again when this device gets the key. */
export class Opener {
  private readonly username: string;
  private key: Promise<InboxKey | undefined>;
  /** What is open is of this key. A change of it makes what is under way worthless. */
  private turn = 0;
  private readonly begun = new Set<string>();
  /** The newest lines that were opened, by their conversations. */
  private readonly lines = new Map<string, string>();
  private readonly unsubscribe: (() => void)[];

  constructor(username: string) {
    this.username = username;
    this.key = privateKeyOf(username);
    this.unsubscribe = [
      useInbox.subscribe(({ heldWords }, before) => {
        if (heldWords && heldWords !== before.heldWords) this.compare(heldWords);
        this.openAll();
      }),
      useConversations.subscribe(() => this.openAll()),
      useOwnSeal.subscribe(() => this.again()),
    ];
    document.addEventListener("visibilitychange", this.look);
    this.openAll();
  }

  /** Forgets the key, and all that was opened. */
  stop() {
    for (const end of this.unsubscribe) end();
    document.removeEventListener("visibilitychange", this.look);
    this.turn += 1;
    this.key = Promise.resolve(undefined);
    useOpened.setState(nothingOpened, true);
  }

  private openAll() {
    // A note that has one of these is never shown, not even for a moment.
    if (useInbox.getState().heldWords === undefined) return;
    for (const note of useInbox.getState().notes) void this.openNote(note);
    for (const talk of useConversations.getState().conversations) void this.openTalk(talk);
  }

  /** What didn't open is tried again: the device may have got the key. */
  private again() {
    this.turn += 1;
    this.begun.clear();
    this.lines.clear();
    this.key = privateKeyOf(this.username);
    this.openAll();
  }

  /** Another window of this browser may have got the key. */
  private readonly look = () => {
    const isLacking = Object.values(useOpened.getState().notes).some(
      (opened) => "closed" in opened && opened.closed !== "broken",
    );
    if (isLacking && document.visibilityState === "visible") this.again();
  };

  private async openNote({ id, sealed, message }: Note) {
    if (sealed === undefined || this.begun.has(id)) return;
    this.begun.add(id);
    const { turn } = this;
    const key = await this.key;
    const opened = key && (await openNote(key, sealed, message));
    if (turn !== this.turn) return;
    const before = useOpened.getState().notes[id];
    const isShown = before !== undefined && "words" in before && !before.isHeld;
    this.show(
      id,
      opened
        ? { words: opened.m, onlyForYou: opened.f, isHeld: !isShown && isHeld(opened.m) }
        : { closed: whyClosed(key) },
    );
  }

  private show(id: string, opened: Opened) {
    useOpened.setState(({ notes }) => ({ notes: { ...notes, [id]: opened } }));
  }

  /** A conversation's newest line changes. */
  private async openTalk({ id, note: { sealed, message }, last }: Conversation) {
    const newest = last ? `${last.id} ${last.message}` : "";
    if (sealed === undefined || this.lines.get(id) === newest) return;
    this.lines.set(id, newest);
    const { turn } = this;
    const key = await this.key;
    const opened = key && (await openNote(key, sealed, message));
    const talk: OpenedTalk = opened
      ? { note: opened.m, last: last && opened.k ? await wordsOf(opened.k, id, last) : undefined }
      : { closed: whyClosed(key) };
    if (turn !== this.turn || this.lines.get(id) !== newest) return;
    useOpened.setState(({ talks }) => ({ talks: { ...talks, [id]: talk } }));
  }

  /** The owner has other words now. */
  private compare(heldWords: readonly string[]) {
    const entries = Object.entries(useOpened.getState().notes).map(([id, opened]): [string, Opened] => [
      id,
      "words" in opened ? { ...opened, isHeld: hasHeldWord(opened.words, heldWords) } : opened,
    ]);
    useOpened.setState({ notes: Object.fromEntries(entries) });
  }
}

const isHeld = (words: string) => hasHeldWord(words, useInbox.getState().heldWords ?? []);

function whyClosed(key: InboxKey | undefined): Closed {
  if (!key) return "keyless";
  return useOwnSeal.getState().here === "other" ? "stale" : "broken";
}

type Line = NonNullable<Conversation["last"]>;

/** The words of a line; nothing if it was unsent, or doesn't open. */
async function wordsOf(contentKey: string, conversation: string, { from, id, message }: Line) {
  if (message === "") return "";
  return openLine(await lineKeyOf(contentKey), { conversation, from, id }, message);
}
