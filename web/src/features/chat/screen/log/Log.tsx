import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Virtualizer } from "virtua";
import { chatText } from "@/shared/text/chatText";
import { useChat, useRoom } from "../chatContext";
import { useRowGestures } from "../message/useRowGestures";
import { useRowKeys } from "../message/useRowKeys";
import { Announcer } from "./Announcer";
import { dayAbove, useToday } from "./days";
import { EmojiRails, RunsContext } from "./EmojiRails";
import styles from "./Log.module.css";
import { LogHead } from "./LogHead";
import { begins, holds, rowsOf } from "./listRows";
import { Row } from "./Row";
import { ScrollToEnd } from "./ScrollToEnd";
import { useFollowing } from "./useFollowing";
import { useJump } from "./useJump";

/** How far beyond the visible part rows are drawn, in pixels, so that fast scrolling shows no empty space. */
const AHEAD_PX = 600;
/** How many of the newest rows are drawn first: more than a phone shows. */
const FIRST = 20;
/** By then the reader's own arrival has been announced, and the screen is at rest. */
const AT_REST_MS = 1000;

/**
 * The messages and notices. Only rows near the visible part are in the page, and they come and go as one scrolls. So a
 * screen reader does not read this element out; `Announcer` has the new lines.
 */
export function Log() {
  const lines = useChat((chat) => chat.lines);
  const newFrom = useChat((chat) => chat.unreadFrom);
  const hasOlder = useChat((chat) => chat.hasOlder);
  const rows = useMemo(() => rowsOf(lines), [lines]);
  // The first item is not a row but `LogHead`.
  const data = useMemo(() => [undefined, ...rows], [rows]);
  const today = useToday();
  const { head: Head = LogHead } = useRoom();
  const scroller = useRef<HTMLDivElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  const draw = useCallback(() => startTransition(() => setDrawn(true)), []);
  const { list, gauge, shift, ...following } = useFollowing(lines, scroller, draw);
  const { onScroll, onScrollEnd, onResize, toEnd, toRow } = following;
  const jump = useJump(toRow, scroller);
  const { onTap, touching } = useRowGestures();
  const keys = useRowKeys(rows, list, scroller);
  const isFirst = (at: number) => holds(rows[at], newFrom) || begins(rows[at - 1], rows[at]);
  const runs = { rows, isFirst, list };

  // The newest rows are drawn first, in slices with the rest of the screen. Rows beyond the visible part come later, or
  // when the reader scrolls up: their true heights move the rows below. That must not be in a frame in which a new line or
  // older ones move them as well.
  useEffect(() => {
    const timer = setTimeout(draw, AT_REST_MS);
    return () => clearTimeout(timer);
  }, [draw]);

  return (
    <div className={styles.frame}>
      <div
        {...touching}
        aria-label={chatText.screen.log.label}
        aria-live="off"
        className={styles.log}
        onClick={(event) => {
          onTap(event);
          void jump(event);
        }}
        onKeyDown={keys}
        ref={scroller}
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
      >
        <RunsContext value={runs}>
          <Virtualizer
            as={EmojiRails}
            bufferSize={isDrawn ? AHEAD_PX : 0}
            data={data}
            {...(!isDrawn && { keepMounted: newest(data.length) })}
            onResize={onResize}
            onScroll={onScroll}
            onScrollEnd={onScrollEnd}
            ref={list}
            scrollRef={scroller}
            shift={shift}
          >
            {(row, at) =>
              row === undefined ? (
                <Head key="head" />
              ) : (
                <Row
                  day={at === 1 && hasOlder ? undefined : dayAbove(rows, at - 1, today)}
                  first={isFirst(at - 1)}
                  isNew={holds(row, newFrom)}
                  key={row.key}
                  last={isFirst(at)}
                  row={row}
                />
              )
            }
          </Virtualizer>
        </RunsContext>
      </div>
      <div className={styles.gauge} ref={gauge} />
      <ScrollToEnd
        onClick={() => {
          toEnd();
          // The button disappears, and the focus must not be lost.
          scroller.current?.focus({ preventScroll: true });
        }}
      />
      <Announcer />
    </div>
  );
}

function newest(count: number): number[] {
  return Array.from({ length: Math.min(count, FIRST) }, (_, back) => count - 1 - back);
}
