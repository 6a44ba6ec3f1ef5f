import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { chatText } from "@/shared/text/chatText";
import type { PanelProps } from "./EmojiButton";
import styles from "./EmojiPanel.module.css";
import { GROUPS, recent, remember } from "./emoji";
import { composer, typeInto } from "./reply";

/** Emoji to put where the caret is. By mouse it stays open for more, by key one has chosen. */
export function EmojiPanel({ onClose }: PanelProps) {
  const words = chatText.screen.emoji;
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [used] = useState(recent);
  const groups = [
    { name: words.recent, signs: used },
    ...GROUPS.map((signs, at) => ({ name: words.groups[at] ?? "", signs })),
  ].filter(({ signs }) => signs.length > 0);

  useEffect(() => {
    signsIn(panel.current)[0]?.focus({ preventScroll: true });
    /** What one writes in belongs to it, as does the button. */
    function isBeside({ target }: Event): boolean {
      const at = target instanceof Element ? target : null;
      return !panel.current?.contains(at) && !at?.closest("[data-composer], [data-emoji-button]");
    }
    function leave(event: Event) {
      if (isBeside(event)) onClose();
    }
    function press(event: globalThis.KeyboardEvent) {
      if (event.key !== "Escape" || event.isComposing || isBeside(event)) return;
      event.stopPropagation();
      event.preventDefault();
      onClose();
      composer()?.focus({ preventScroll: true });
    }
    document.addEventListener("pointerdown", leave, true);
    document.addEventListener("focusin", leave);
    document.addEventListener("keydown", press, true);
    return () => {
      document.removeEventListener("pointerdown", leave, true);
      document.removeEventListener("focusin", leave);
      document.removeEventListener("keydown", press, true);
    };
  }, [onClose]);

  function choose(sign: string, { detail }: MouseEvent) {
    const field = composer();
    if (field instanceof HTMLTextAreaElement) typeInto(field, sign);
    remember(sign);
    if (detail === 0) onClose();
  }

  return (
    <div aria-label={words.title} className={styles.panel} onKeyDown={walk} ref={panel} role="dialog">
      <div className={styles.jumps}>
        {groups.map(({ name, signs }, at) => (
          <button
            aria-label={name}
            className={styles.sign}
            key={name}
            onClick={() => signsIn(document.getElementById(id + at))[0]?.focus()}
            title={name}
            type="button"
          >
            {at === 0 && used.length > 0 ? "🕘" : signs[0]}
          </button>
        ))}
      </div>
      <div className={styles.groups}>
        {groups.map(({ name, signs }, at) => (
          // biome-ignore lint/a11y/useSemanticElements: nothing is filled in
          <div aria-label={name} className={styles.group} id={id + at} key={name} role="group">
            <p aria-hidden="true" className={styles.name}>
              {name}
            </p>
            {signs.map((sign, place) => (
              <button
                className={styles.sign}
                data-sign
                key={sign}
                onClick={(event) => choose(sign, event)}
                // The Tab key reaches one of each group.
                tabIndex={place === 0 ? 0 : -1}
                type="button"
              >
                {sign}
              </button>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function signsIn(place: HTMLElement | null): HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>("[data-sign]") ?? [])];
}

/** Arrows lead to the one that is next in that direction, also into another group. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const all = signsIn(event.currentTarget);
  const at = all.indexOf(event.target as HTMLElement);
  const next = at === -1 ? undefined : beside(all, at, event.key);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function beside(all: HTMLElement[], at: number, key: string): HTMLElement | undefined {
  if (key === "ArrowRight") return all[at + 1];
  if (key === "ArrowLeft") return all[at - 1];
  const from = all[at];
  if (!from || (key !== "ArrowDown" && key !== "ArrowUp")) return undefined;
  const down = key === "ArrowDown";
  const onwards = down ? all.slice(at) : all.slice(0, at).reverse();
  const first = onwards.find((sign) => sign.offsetTop !== from.offsetTop);
  const row = onwards.filter((sign) => sign.offsetTop === first?.offsetTop);
  const far = (sign: HTMLElement) => Math.abs(sign.offsetLeft - from.offsetLeft);
  return row.sort((one, other) => far(one) - far(other))[0];
}
