/**
 * CSS makes text that wraps as wide as there is room. Here a slip becomes as narrow as the widest line of its words, and
 * where the clock stands in the last line, as that line with it. Of all rows that were drawn together, each width is read
 * before the first is written, so that the browser lays them out twice and not once for each.
 */
const rows = new ResizeObserver((entries) => {
  const all = entries.map(({ target }) => target.querySelector<HTMLElement>("[data-fits]"));
  for (const words of all) words?.style.removeProperty("width");
  const widths = all.map((words) => words && widthOf(words));
  for (const [at, width] of widths.entries()) if (width) all[at]?.style.setProperty("width", `${width}px`);
});

/** Keeps a message's words fitted for as long as they are drawn. Their row is as wide as the log, and as high as they are. */
export function fitted(words: HTMLElement | null) {
  const row = words?.closest("article");
  if (!row) return;
  rows.observe(row);
  return () => rows.unobserve(row);
}

/** The width that the words need; none where they fit on one line with the clock, which CSS gets right. */
function widthOf(words: HTMLElement): number | undefined {
  const lines: { left: number; right: number; bottom: number }[] = [];
  const [said, clock] = words.children;
  if (!said || !clock) return undefined;
  for (const { left, right, top, bottom } of boxesIn(said)) {
    const line = lines.at(-1);
    // Letters, links and emoji of a line have different heights, and its parts may come from right to left.
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

/**
 * The boxes of the words and of what they stand in, and not those of spaces: the one at which a line breaks hangs behind
 * it.
 */
function* boxesIn(said: Element) {
  const range = document.createRange();
  const nodes = document.createTreeWalker(said, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node instanceof Element) yield* node.getClientRects();
    for (const { index, 0: word } of node.nodeValue?.matchAll(/\S+/g) ?? []) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      yield* range.getClientRects();
    }
  }
}
