/**
 * CSS makes text that wraps as wide as possible. This makes a bubble only as wide as its widest line of words, or as
 * its last line together with the time. For rows that are drawn together all widths are read before the first is
 * written, so that the browser computes the layout twice and not once for each row.
 */
function fit(entries: ResizeObserverEntry[]) {
  const all = entries.map(({ target }) => target.querySelector<HTMLElement>("[data-fits]"));
  for (const words of all) words?.style.removeProperty("width");
  const widths = all.map((words) => words && widthOf(words));
  for (const [at, width] of widths.entries()) if (width) all[at]?.style.setProperty("width", `${width}px`);
}

let rows: ResizeObserver | undefined;

/** Fits a message's words whenever its row changes size. A row is as wide as the log and as high as its words. */
export function fitted(words: HTMLElement | null) {
  const row = words?.closest("article");
  if (!row) return;
  rows ??= new ResizeObserver(fit);
  rows.observe(row);
  return () => rows?.unobserve(row);
}

/** The width that the words need; undefined if they and the time fit on one line, which CSS does right. */
function widthOf(words: HTMLElement): number | undefined {
  const lines: { left: number; right: number; bottom: number }[] = [];
  const [text, clock] = words.children;
  if (!text || !clock) return undefined;
  for (const { left, right, top, bottom } of boxesIn(text)) {
    const line = lines.at(-1);
    // Letters, links and emoji in a line differ in height, and parts of a line may run from right to left.
    if (!line || (top + bottom) / 2 > line.bottom) lines.push({ left, right, bottom });
    else Object.assign(line, { left: Math.min(line.left, left), right: Math.max(line.right, right) });
  }
  const last = lines.at(-1);
  const { top, width } = clock.getBoundingClientRect();
  const isInLast = last !== undefined && top < last.bottom;
  if (isInLast && lines.length === 1) return undefined;
  const lengths = lines.map(({ left, right }) => right - left);
  const withClock = isInLast ? (lengths.at(-1) ?? 0) + width : width;
  return Math.ceil(Math.max(withClock, ...lengths));
}

/** The boxes of the words and their elements, but not of spaces: a space at a line break is outside the line. */
function* boxesIn(text: Element) {
  const range = document.createRange();
  const nodes = document.createTreeWalker(text, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node instanceof Element) yield* node.getClientRects();
    for (const { index, 0: word } of node.nodeValue?.matchAll(/\S+/g) ?? []) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      yield* range.getClientRects();
    }
  }
}
