import { LINE_MAX } from "@/shared/contract/limits";
import { copyPlace, type LinePlace, openLine, sealLine } from "@/shared/sealing/lines";
import { characters, isBlank } from "@/shared/text/characters";
import { sealedTalkText } from "@/shared/text/sealedTalkText";
import type { ChatFrame, Frame } from "../../model/frames";
import { EMOJI_OF, type Side } from "../../model/pair";
import type { RoomPage } from "../../model/transitions";

type Message = Record<string, unknown>;
type Quote = NonNullable<ChatFrame["reply"]>;

/** Seals what is said in a conversation, and opens what comes. */
export class SealedTalk {
  private readonly conversation: string;
  private readonly side: Side;
  private readonly key: CryptoKey;
  /** The words of lines, for those that quote them. */
  private readonly words = new Map<number, string>();

  constructor(conversation: string, side: Side, key: CryptoKey) {
    this.conversation = conversation;
    this.side = side;
    this.key = key;
  }

  /** A page of lines with the words that were sealed. */
  async page(page: RoomPage): Promise<RoomPage> {
    const opened = await Promise.all(page.messages.map((frame) => this.line(frame as ChatFrame)));
    // All are opened before one is shown with what it quotes.
    return { ...page, messages: opened.map((frame) => this.quoting(frame)) as RoomPage["messages"] };
  }

  /** A frame of the socket with the words that were sealed. */
  async frame(frame: Frame): Promise<Frame> {
    return frame.event === "event.chat" ? this.quoting(await this.line(frame)) : frame;
  }

  /** A line as it goes to the server: of what it quotes only the place. */
  async seal({ event, id, message, reply }: Message): Promise<Message> {
    const sealed = await sealLine(this.key, this.place(String(id), this.side), String(message));
    return { event, id, message: sealed, sealed: true, reply: reply && [0, 0, (reply as Quote)[2], 0] };
  }

  private place(id: string, from: Side): LinePlace {
    return { conversation: this.conversation, from, id };
  }

  private async line(frame: ChatFrame): Promise<ChatFrame> {
    const { id, seq, sender, message, unsent } = frame;
    if (unsent) {
      this.words.set(seq, "");
      return { ...frame, message: "" };
    }
    const from = sender === EMOJI_OF.owner ? "owner" : "sender";
    // The note's copy is no line, whatever the server says.
    const isNote = id === copyPlace(this.conversation).id;
    const words = isNote ? undefined : await openLine(this.key, this.place(id, from), message);
    const isLine = words !== undefined && !isBlank(words) && characters(words) <= LINE_MAX;
    const shown = isLine ? words : sealedTalkText.unopened;
    this.words.set(seq, shown);
    return { ...frame, message: shown, ...(!isLine && { unopened: true as const }) };
  }

  private quoting(frame: ChatFrame): ChatFrame {
    if (!frame.reply) return frame;
    const [sender, quoted, seq, picture] = frame.reply as [string, string, number, string];
    // The server has taken away the words of a line that was unsent.
    const words = quoted === "" ? "" : (this.words.get(seq) ?? "");
    return { ...frame, reply: [sender, words, seq, picture] };
  }
}
