import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { chatText } from "@/shared/text/chatText";
import { emojiText } from "@/shared/text/emojiText";
import styles from "./EmojiPanel.module.css";
import { found, GROUPS, recent, remember } from "./emoji";
import { composer, typeInto } from "./reply";

/** Emoji to insert at the caret. After a click the panel stays open for more; after a key it closes. */
export function EmojiPanel({ onClose }: { onClose: () => void }) {
  const words = chatText.screen.emoji;
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [used] = useState(recent);
  const [query, setQuery] = useState("");
  const isSearch = query.trim() !== "";
  const groups = (
    isSearch
      ? [{ name: words.results, signs: found(query, emojiText) }]
      : [
          { name: words.recent, signs: used },
          ...GROUPS.map((signs, at) => ({ name: words.groups[at] ?? "", signs })),
        ]
  ).filter(({ signs }) => signs.length > 0);

  useEffect(() => {
    panel.current?.querySelector("input")?.focus({ preventScroll: true });
    /** The message box and the emoji button count as parts of the panel. */
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
    const open = new AbortController();
    const { signal } = open;
    document.addEventListener("pointerdown", leave, { capture: true, signal });
    document.addEventListener("focusin", leave, { signal });
    document.addEventListener("keydown", press, { capture: true, signal });
    return () => open.abort();
  }, [onClose]);

  function choose(sign: string) {
    const field = composer();
    if (field instanceof HTMLTextAreaElement) typeInto(field, sign);
    remember(sign);
  }

  /** Enter inserts the first emoji that was found, and must not send the message. */
  function take(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const [first] = isSearch ? (groups[0]?.signs ?? []) : [];
    if (first === undefined) return;
    choose(first);
    onClose();
  }

  return (
    <div aria-label={words.title} className={styles.panel} onKeyDown={walk} ref={panel} role="dialog">
      <input
        aria-label={words.search}
        autoComplete="off"
        className={styles.search}
        dir="auto"
        onChange={({ target }) => setQuery(target.value)}
        onKeyDown={take}
        placeholder={words.search}
        type="search"
        value={query}
      />
      <p className={isSearch && groups.length === 0 ? styles.none : "visually-hidden"} role="status">
        {isSearch && words.found(groups[0]?.signs.length ?? 0)}
      </p>
      <div className={styles.jumps} hidden={isSearch}>
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
                onClick={({ detail }) => {
                  choose(sign);
                  if (detail === 0) onClose();
                }}
                // The Tab key reaches only the first emoji of each group.
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

/** Arrow keys move to the next emoji in that direction, also in another group. The search field is above them. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const all = signsIn(event.currentTarget);
  const search = event.currentTarget.querySelector("input");
  const at = all.indexOf(event.target as HTMLElement);
  const below = event.target === search && event.key === "ArrowDown" ? all[0] : undefined;
  const above = event.key === "ArrowUp" ? search : undefined;
  const next = at === -1 ? below : (beside(all, at, event.key) ?? above);
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
