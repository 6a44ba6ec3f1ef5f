import { type CSSProperties, createContext, type ReactNode, type RefObject, use } from "react";
import type { CustomContainerComponentProps, VirtualizerHandle } from "virtua";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import type { Message } from "../../model/chat";
import styles from "./EmojiRails.module.css";
import type { ListRow } from "./listRows";
import { useArrives } from "./Row";

/** So far beyond the edges the emoji are drawn, in pixels. */
const AHEAD_PX = 800;

type Runs = {
  rows: readonly ListRow[];
  isFirst: (at: number) => boolean;
  list: RefObject<VirtualizerHandle | null>;
};

export const RunsContext = createContext<Runs | undefined>(undefined);

/**
 * The list's container: beside each run of somebody's lines lies a rail as long as the run, on which their emoji slides
 * along and stays in view. Rows lie where the list puts them, each by itself, so no row can hold it; the container is
 * drawn whenever they are moved.
 */
export function EmojiRails({ children, ref, style }: CustomContainerComponentProps) {
  const runs = use(RunsContext);
  return (
    <div className={styles.list} ref={ref as RefObject<HTMLDivElement | null>} style={style}>
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

function Rail({ row, ...given }: { row: Message; style: CSSProperties; children: ReactNode }) {
  return <div {...given} className={styles.rail} data-arrives={useArrives(row)} />;
}

function railsOf({ rows, isFirst, list: { current: list } }: Runs) {
  const rails = [];
  if (!list) return [];
  const { scrollOffset, viewportSize } = list;
  // In the list, one that is no row comes before them.
  const from = Math.max(0, list.findItemIndex(scrollOffset - AHEAD_PX) - 1);
  const to = Math.min(rows.length, list.findItemIndex(scrollOffset + viewportSize + AHEAD_PX));
  let at = from;
  while (at < to) {
    const start = at;
    do at += 1;
    while (at < to && !isFirst(at));
    const row = rows[start];
    if (row?.kind !== "message" || row.mine) continue;
    const top = list.getItemOffset(start + 1);
    const height = list.getItemOffset(at) + list.getItemSize(at) - top;
    // Of a run that begins further up only the part that is near has a rail.
    rails.push({ key: isFirst(start) ? row.key : "above", row, top, height });
  }
  return rails;
}
