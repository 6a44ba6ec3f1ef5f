import type { Line, Message } from "./chat";

/**
 * The lines of a room while several changes are made to them: copied once, at the first change, however many
 * follow. First stands what has a place in the log, in its order; then what is on its way there.
 */
export class LineEdit {
  private lines: readonly Line[];
  private copy: Line[] | undefined;

  constructor(lines: readonly Line[]) {
    this.lines = lines;
  }

  get current(): readonly Line[] {
    return this.lines;
  }

  /** How many have a place. The others are few. */
  settled(): number {
    let count = this.lines.length;
    while (count > 0 && this.lines[count - 1]?.seq === undefined) count -= 1;
    return count;
  }

  /** Where this place is, or would be. */
  indexOf(seq: number): number {
    let [from, to] = [0, this.settled()];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.lines[middle]?.seq ?? Number.POSITIVE_INFINITY) < seq) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** What stands at this place. */
  at(seq: number): Line | undefined {
    const found = this.lines[this.indexOf(seq)];
    return found?.seq === seq ? found : undefined;
  }

  /** Where one's own message is that is still on its way. */
  waiting(id: string): number {
    for (let at = this.lines.length - 1; at >= 0 && this.lines[at]?.seq === undefined; at -= 1) {
      if ((this.lines[at] as Message).id === id) return at;
    }
    return -1;
  }

  insert(line: Line) {
    const at = line.seq === undefined ? this.lines.length : this.indexOf(line.seq);
    this.own().splice(at, 0, line);
  }

  remove(at: number) {
    this.own().splice(at, 1);
  }

  replace(at: number, line: Line) {
    this.own()[at] = line;
  }

  replaceAll(change: (line: Line) => Line) {
    this.lines.forEach((line, at) => {
      const changed = change(line);
      if (changed !== line) this.replace(at, changed);
    });
  }

  private own(): Line[] {
    this.copy ??= [...this.lines];
    this.lines = this.copy;
    return this.copy;
  }
}
