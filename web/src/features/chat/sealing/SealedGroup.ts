import type { Schemas } from "@/shared/api/api";
import { CAPTION_MAX, CHAT_MAX, ROOM_PAGE_MAX } from "@/shared/contract/limits";
import { characters, isBlank } from "@/shared/text/characters";
import { sealedText } from "@/shared/text/sealedText";
import type { Emoji } from "../model/chat";
import type { ChatFrame, Frame, NotifyFrame } from "../model/frames";
import type { RoomPage } from "../model/transitions";
import { believedKey, ownKey, type Storage } from "../storage";
import {
  announced,
  isSigned,
  type Opened,
  openBody,
  type Place,
  type Said,
  type SealedPicture,
  sealBody,
} from "./body";
import { Chain } from "./Chain";
import type { Keys } from "./keys";
import { Members, type Proof } from "./Members";

/** Messages as they go to the server. */
type Sent = Record<string, unknown>;

/** A message of a page or the socket, and what was found in it. */
type Found = { frame: ChatFrame; opened: Opened | undefined };

/** If the echo of one's key takes longer, the message that waits for it is sent again later. */
const ANNOUNCED_WITHIN_MS = 4000;

type Tools = {
  room: string;
  me: Emoji;
  keys: Keys;
  signer: Promise<CryptoKeyPair>;
  /** The device's storage, sealed. */
  storage: Storage;
  /** Loads a page as the server has it. */
  page: (limit: number, before?: number) => Promise<RoomPage>;
  newId: () => string;
};

/**
 * Seals what this browser sends in a group, and opens what comes. It also knows whose each message is, and whether one
 * is missing: the rest of the page is as in every group.
 */
export class SealedGroup {
  private readonly tools: Tools;
  private readonly members: Members;
  private readonly chain = new Chain();
  /** How many this browser has sent since it announced its key, the last one's hash, and its place. */
  private own: { n: number; p: string; seq: number };
  private seen = 0;
  /** The addresses of pictures with the hash of what is there, by the server's paths. */
  private readonly pictures = new Map<string, string>();
  private heard: (() => void) | undefined;

  constructor(tools: Tools) {
    const { room, storage } = tools;
    this.tools = tools;
    this.members = new Members(read(storage, believedKey(room)) ?? {}, (believed) =>
      storage.setItem(believedKey(room), JSON.stringify(believed)),
    );
    this.own = read(storage, ownKey(room)) ?? { n: -1, p: "", seq: 0 };
  }

  /** A page of lines with the words that were sealed. With `afresh` it takes the place of all that was loaded. */
  async page(page: RoomPage, afresh: boolean): Promise<RoomPage> {
    const [first] = page.messages;
    if (first) this.chain.begins(page.has_older ? first.seq : 0, afresh);
    this.seen = Math.max(this.seen, page.last_seq);
    const messages: Schemas["LineFrame"][] = [];
    const chats = await this.read(await this.found(page.messages.filter(isChat)), page);
    for (const line of page.messages) {
      const shown = isChat(line) ? chats.get(line.seq) : line;
      if (shown) messages.push(shown as Schemas["LineFrame"]);
    }
    return { ...page, messages };
  }

  /** A frame of the socket with the words that were sealed. */
  async frame(frame: Frame): Promise<Frame> {
    if ("seq" in frame) this.seen = Math.max(this.seen, frame.seq);
    if (frame.event !== "event.chat" && frame.event !== "event.image") return frame;
    const chats = await this.read(await this.found([frame]));
    return chats.get(frame.seq) ?? { event: "event.passed", seq: frame.seq };
  }

  /** The messages that take the place of one that is to be sent. `send` sends what has to come before it. */
  async seal(message: Sent, send: (message: Sent) => void): Promise<Sent> {
    const { keys, newId } = this.tools;
    const signer = await this.tools.signer;
    const k = await announced(signer);
    if (!this.members.hasAnnounced(this.tools.me, k) || this.own.n < 0) {
      const id = newId();
      const standing = { n: 0, p: "", s: this.seen };
      const body = await sealBody(keys, signer, this.place(id, ""), { kind: "key", k }, standing);
      const isHeard = new Promise<void>((resolve, reject) => {
        this.heard = resolve;
        setTimeout(() => reject(new Error("the key was not announced")), ANNOUNCED_WITHIN_MS);
      });
      send({ event: "event.chat", id, message: body, kind: "key" });
      await isHeard;
    }
    const { id, answers = "", message: words, caption, image_src, image_low, image_size, reply } = message;
    const said: Said = {};
    if (words) said.t = String(words);
    if (caption) said.c = String(caption);
    if (Array.isArray(reply)) said.q = String(reply[1]);
    const [full, tiny] = [image_src, image_low].map((address) => sealedAddress(String(address ?? "")));
    if (full && tiny) {
      const [width = 0, height = 0] = Array.isArray(image_size) ? image_size : [];
      said.i = [width, height, full.id, full.hash, tiny.id, tiny.hash];
    }
    const standing = { n: this.own.n + 1, p: this.own.p, s: this.seen };
    const body = await sealBody(keys, signer, this.place(String(id), String(answers)), said, standing);
    return {
      event: message.event,
      id,
      message: body,
      ...(answers !== "" && { answers }),
      ...(full && tiny && { image_src: full.path, image_low: tiny.path }),
      ...(Array.isArray(reply) && { reply: [0, 0, reply[2], 0] }),
    };
  }

  private place(id: string, answers: string, sender = this.tools.me): Place {
    return { room: this.tools.room, sender, id, answers };
  }

  private found(frames: readonly ChatFrame[]): Promise<Found[]> {
    return Promise.all(
      frames.map(async (frame) => {
        const { id, answers, sender, message, unsent } = frame;
        const opened = unsent
          ? undefined
          : await openBody(this.tools.keys, this.place(id, answers ?? "", sender), message);
        return { frame, opened };
      }),
    );
  }

  /** Whose each message is. Pages back for the keys of senders who announced theirs before this page. */
  private async proofs(found: readonly Found[], page: RoomPage | undefined): Promise<(Proof | undefined)[]> {
    const prove = ({ frame, opened }: Found) => opened && this.members.prove(frame.sender, frame.seq, opened);
    let proofs = await Promise.all(found.map(prove));
    let [before, hasOlder] = [page?.messages[0]?.seq, page?.has_older];
    while (hasOlder && before !== undefined && proofs.includes("unknown")) {
      const older = await this.tools.page(ROOM_PAGE_MAX, before);
      const keys = older.messages.filter(isChat).filter(({ kind }) => kind === "key");
      await this.announce(await this.found(keys));
      proofs = await Promise.all(
        found.map((one, at) => (proofs[at] === "unknown" ? prove(one) : proofs[at])),
      );
      [before, hasOlder] = [older.messages[0]?.seq, older.has_older];
    }
    return proofs;
  }

  /** Believes the keys that members have announced. Says of each, by its place, whether it takes the place of another. */
  private async announce(found: readonly Found[]): Promise<Map<number, boolean>> {
    const keys = new Map<number, boolean>();
    for (const { frame, opened } of found) {
      if (!opened || frame.kind !== "key" || !("kind" in opened.said)) continue;
      const { k } = opened.said;
      if (typeof k !== "string" || !(await isSigned(opened, k))) continue;
      keys.set(frame.seq, this.members.announce(frame.sender, frame.seq, k));
    }
    return keys;
  }

  /** What is shown of messages, by their places. Of a key nothing is, unless it took the place of another. */
  private async read(found: readonly Found[], page?: RoomPage) {
    const shown = new Map<number, ChatFrame | NotifyFrame>();
    const keys = await this.announce(found);
    const proofs = await this.proofs(found, page);
    for (const [at, { frame, opened }] of found.entries()) {
      const { sender, seq } = frame;
      if (frame.unsent) this.chain.lost(sender, seq);
      // One that its own key hasn't signed is none, and is shown as what doesn't open.
      const isKey = keys.has(seq);
      const proof = isKey ? "proved" : proofs[at];
      const doubt = opened && proof !== "false" && this.chain.add(sender, seq, opened.hash, opened.standing);
      if (opened && sender === this.tools.me && proof === "proved") this.remember(frame, opened);
      if (isKey) {
        if (keys.get(seq)) shown.set(seq, noticeOf(frame, sealedText.rekeyed(sender)));
      } else if (frame.unsent) shown.set(seq, { ...frame, message: "", caption: "" });
      else {
        const words = proof === "false" ? undefined : opened && this.openFrame(frame, opened);
        const why = proof === "unknown" ? "unproved" : doubt;
        shown.set(
          seq,
          words ? { ...words, ...(why && { doubt: sealedText[why](sender) }) } : unopenedOf(frame),
        );
      }
    }
    for (const { sender, after, doubt } of this.chain.joined()) {
      const why = sealedText[doubt === "missing" ? "followed" : doubt](sender);
      const at = found.find(({ frame }) => frame.seq === after)?.frame;
      const line = shown.get(after);
      if (line && "sender" in line) shown.set(after, { ...line, doubt: sentences(line.doubt, why) });
      else if (at) shown.set(after, noticeOf(at, sentences(line?.message, why)));
    }
    return shown;
  }

  /** A message with its words; undefined if they are none that this app would have sent. */
  private openFrame(frame: ChatFrame, { said }: Opened): ChatFrame | undefined {
    if ("kind" in said) return undefined;
    const { t = "", c = "", q = "", i } = said;
    if ([t, c, q].some((words) => typeof words !== "string")) return undefined;
    if (characters(t) > CHAT_MAX || characters(c) > CAPTION_MAX) return undefined;
    const picture = pictureIn(frame, i);
    // Words or a picture have to be there, and no picture that its sender has not named.
    if (picture === undefined || (picture === null && isBlank(t))) return undefined;
    if (picture) {
      for (const address of [picture.image_src, picture.image_low])
        this.pictures.set(address.split("#")[0] ?? "", address);
    }
    return { ...frame, message: t, caption: c, ...picture, reply: this.quoteIn(frame, q) };
  }

  /** The quoted words are those of who quotes them, as long as the quoted message is there. */
  private quoteIn({ reply, answers }: ChatFrame, quoted: string): ChatFrame["reply"] {
    if (!reply || !answers) return null;
    const [sender, words, seq, picture] = reply as [string, string, number, string];
    return [sender, words === "" ? "" : quoted, seq, this.pictures.get(picture) ?? ""];
  }

  /** The last message of this browser's own, which the next one names. */
  private async remember({ seq, kind }: ChatFrame, { standing, hash, said }: Opened) {
    if (kind === "key") {
      const isOwn = "kind" in said && said.k === (await announced(await this.tools.signer));
      if (!isOwn) return;
      this.heard?.();
    }
    if (seq <= this.own.seq) return;
    this.own = { n: standing.n, p: hash, seq };
    this.tools.storage.setItem(ownKey(this.tools.room), JSON.stringify(this.own));
  }
}

/** The address of a picture, as the page knows it: the server's path, and behind it the hash of what is there. */
export function sealedAddress(address: string): { path: string; id: string; hash: string } | undefined {
  const [path = "", hash = ""] = address.split("#");
  const id = path.split("/").at(-1) ?? "";
  return id === "" || hash === "" ? undefined : { path, id, hash };
}

const isChat = (line: Schemas["LineFrame"]): line is ChatFrame & Schemas["LineFrame"] => "sender" in line;

function unopenedOf(frame: ChatFrame): ChatFrame {
  const nothing = { caption: "", image_src: null, image_low: null, reply: null };
  return { ...frame, ...nothing, event: "event.chat", message: sealedText.unopened, unopened: true };
}

/** A notice of this page's own, with a code that no server sends: so the line shows the sentence. */
function noticeOf({ seq, time }: ChatFrame, message: string): NotifyFrame {
  return { event: "event.notify", code: "rekeyed" as NotifyFrame["code"], message, time, seq };
}

const sentences = (...all: (string | undefined)[]) => all.filter(Boolean).join(". ");

/** Width, height and both addresses of a picture that its sender has named; null if there is none. */
function pictureIn({ image_src, image_low }: ChatFrame, named: SealedPicture | undefined) {
  if (!named) return image_src ? undefined : null;
  if (!Array.isArray(named) || !image_src || !image_low) return undefined;
  const [width, height, full, fullHash, tiny, tinyHash] = named;
  if (!image_src.endsWith(`/${full}`) || !image_low.endsWith(`/${tiny}`)) return undefined;
  return {
    image_src: `${image_src}#${fullHash}`,
    image_low: `${image_low}#${tinyHash}`,
    image_size: [Number(width) || 0, Number(height) || 0],
  };
}

function read<Value>(storage: Storage, key: string): Value | undefined {
  try {
    return JSON.parse(storage.getItem(key) ?? "") as Value;
  } catch {
    return undefined;
  }
}
