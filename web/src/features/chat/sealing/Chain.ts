import type { Standing } from "./body";

/** What is wrong with where a message stands: one before it is missing, or it isn't where its sender has put it. */
export type Doubt = "missing" | "misplaced";

type Link = { seq: number; n: number; p: string; hash: string };

/** What is wrong between a message of a sender, and the one before it, whose place is `after`. */
export type Gap = { sender: string; after: number; doubt: Doubt };

/**
 * What members' messages say about their own order. Each names the one before it of the same sender, so that a server
 * that keeps one back, or shows others another order, is noticed.
 */
export class Chain {
  /** What is known of each sender, in the order of the log. */
  private readonly links = new Map<string, Link[]>();
  private readonly gone = new Map<string, number[]>();
  /** What was before this place isn't loaded. */
  private first = Number.POSITIVE_INFINITY;
  /** The first messages of senders on a page: the one before is on an older page. */
  private waiting: { sender: string; link: Link }[] = [];

  /** From here on everything is loaded. Before it nothing is known, if `afresh`. */
  begins(seq: number, afresh: boolean) {
    this.first = afresh ? seq : Math.min(this.first, seq);
    if (afresh) this.waiting = [];
  }

  /** A message of this sender was taken back, and nobody can look at it any more. */
  lost(sender: string, seq: number) {
    const gone = this.gone.get(sender) ?? [];
    if (!gone.includes(seq)) this.gone.set(sender, [...gone, seq]);
  }

  /** Adds a message, and says what is wrong with where it stands. */
  add(sender: string, seq: number, hash: string, { n, p, s }: Standing): Doubt | undefined {
    const links = this.links.get(sender) ?? [];
    const at = links.findLastIndex((link) => link.seq < seq) + 1;
    const link = { seq, n, p, hash };
    if (links[at]?.seq !== seq) this.links.set(sender, links.toSpliced(at, 0, link));
    // Nobody can have seen what came later, and nothing comes twice.
    if (s >= seq || links.some((other) => other.hash === hash && other.seq !== seq)) return "misplaced";
    // It begins with a key, or with what isn't loaded.
    if (n === 0) return undefined;
    const before = this.before(sender, seq);
    if (before.length === 0) this.waiting.push({ sender, link });
    return this.judge(sender, link, before);
  }

  /** Says what is wrong between pages, once an older page is there. */
  joined(): Gap[] {
    const waiting = this.waiting.map((one) => ({ ...one, before: this.before(one.sender, one.link.seq) }));
    this.waiting = waiting.filter(({ before }) => before.length === 0);
    return waiting.flatMap(({ sender, link, before }) => {
      const [last, doubt] = [before.at(-1), this.judge(sender, link, before)];
      return last && doubt ? [{ sender, after: last.seq, doubt }] : [];
    });
  }

  private before(sender: string, seq: number): Link[] {
    return (this.links.get(sender) ?? []).filter((link) => link.seq < seq && link.seq >= this.first);
  }

  private judge(sender: string, { seq, n, p }: Link, before: readonly Link[]): Doubt | undefined {
    const last = before.at(-1);
    if (!last || before.some((link) => link.hash === p && link.n === n - 1)) return undefined;
    // Two tabs of a sender may send at once, and name the same one before.
    if (n <= last.n) return before.some((link) => link.n === n) ? undefined : "misplaced";
    const gone = (this.gone.get(sender) ?? []).filter((place) => place > last.seq && place < seq).length;
    return Math.max(1, n - last.n - 1) <= gone ? undefined : "missing";
  }
}
