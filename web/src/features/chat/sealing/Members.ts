import { isSigned, type Opened } from "./body";

/** Whose a message is: its sender's, somebody else's, or nobody can say, since the sender's key isn't known. */
export type Proof = "proved" | "false" | "unknown";

type Announced = { seq: number; k: string };

/** The keys that members sign with, as they announced them. */
export class Members {
  /** In the order of the log. */
  private readonly announced = new Map<string, Announced[]>();
  /** Those that this device has believed before, the newest of each member. */
  private readonly believed: Map<string, string>;
  private readonly keep: (believed: Record<string, string>) => void;

  constructor(believed: Record<string, string>, keep: (believed: Record<string, string>) => void) {
    this.believed = new Map(Object.entries(believed));
    this.keep = keep;
  }

  /** A member's key, which the member has signed. Whether it takes the place of another one. */
  announce(sender: string, seq: number, k: string): boolean {
    const known = this.announced.get(sender) ?? [];
    const at = known.findLastIndex((one) => one.seq < seq) + 1;
    if (known[at]?.seq !== seq) this.announced.set(sender, known.toSpliced(at, 0, { seq, k }));
    const before = known[at - 1]?.k;
    const isNewest = at === known.length;
    // What was announced earlier, as an older page shows it, is no news.
    if (!isNewest) return before !== undefined && before !== k;
    const believed = this.believed.get(sender);
    if (believed !== k) {
      this.believed.set(sender, k);
      this.keep(Object.fromEntries(this.believed));
    }
    return (before ?? believed ?? k) !== k;
  }

  /** Whether a member's newest key is this one. */
  hasAnnounced(sender: string, k: string): boolean {
    return this.announced.get(sender)?.at(-1)?.k === k || this.believed.get(sender) === k;
  }

  async prove(sender: string, seq: number, opened: Opened): Promise<Proof> {
    const known = this.announced.get(sender)?.findLast((one) => one.seq < seq);
    if (known) return (await isSigned(opened, known.k)) ? "proved" : "false";
    const believed = this.believed.get(sender);
    return believed !== undefined && (await isSigned(opened, believed)) ? "proved" : "unknown";
  }
}
