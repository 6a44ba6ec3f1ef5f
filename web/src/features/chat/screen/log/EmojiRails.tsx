import { type CSSProperties, createContext, type ReactNode, type RefObject, use } from "react";
import type { CustomContainerComponentProps, VirtualizerHandle } from "virtua";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./EmojiRails.module.css";
import { isSaid, type ListRow } from "./listRows";
import { useArrives } from "./Row";

/** How far beyond the visible part the emoji are drawn, in pixels. */
const AHEAD_PX = 800;

type Runs = {
  rows: readonly ListRow[];
  isFirst: (at: number) => boolean;
  list: RefObject<VirtualizerHandle | null>;
};

export const RunsContext = createContext<Runs | undefined>(undefined);

/**
 * The list's container. Beside each run of one sender's lines is a rail as high as the run, on which the sender's emoji
 * slides so that it stays in view. It is not in a row, because the list positions each row by itself. The container is
 * drawn again whenever the list moves rows.
 */
export function EmojiRails({ children, ref, style }: CustomContainerComponentProps) {
  const runs = use(RunsContext);
  return (
    <div
      className={styles.list}
      ref={ref as RefObject<HTMLDivElement | null>}
      // The list wants no taps until it has been still for a moment, but each message that comes moves it.
      style={{ ...style, pointerEvents: undefined }}
    >
      {children}
      {runs &&
        railsOf(runs).map(({ key, row, top, height }) => (
          <Rail key={key} row={row} style={{ top, height }}>
            <EmojiDisc className={styles.emoji} emoji={row.sender} size="s" />
          </Rail>
        ))}
    </div>
  );
}

function Rail({ row, ...given }: { row: ListRow; style: CSSProperties; children: ReactNode }) {
  return <div {...given} className={styles.rail} data-arrives={useArrives(row)} />;
}

function railsOf({ rows, isFirst, list: { current: list } }: Runs) {
  const rails = [];
  if (!list) return [];
  const { scrollOffset, viewportSize } = list;
  // The list's first item is not a row.
  const from = Math.max(0, list.findItemIndex(scrollOffset - AHEAD_PX) - 1);
  const to = Math.min(rows.length, list.findItemIndex(scrollOffset + viewportSize + AHEAD_PX));
  let at = from;
  while (at < to) {
    const start = at;
    do at += 1;
    while (at < to && !isFirst(at));
    const row = rows[start];
    if (!isSaid(row) || row.mine) continue;
    const top = list.getItemOffset(start + 1);
    const height = list.getItemOffset(at) + list.getItemSize(at) - top;
    // If a run begins farther up, only its near part has a rail.
    rails.push({ key: isFirst(start) ? row.key : "above", row, top, height });
  }
  return rails;
}
