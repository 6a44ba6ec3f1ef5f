import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { chatText } from "@/shared/text/chatText";
import { emojiText } from "@/shared/text/emojiText";
import styles from "./EmojiPicker.module.css";
import { found, GROUPS, recent, remember } from "./emoji";

type Props = {
  /** `isLast` is true if it was chosen by a key, which is for one emoji only. */
  onChoose: (sign: string, isLast: boolean) => void;
};

/** All emoji in groups, and a search. */
export function EmojiPicker({ onChoose }: Props) {
  const words = chatText.screen.emoji;
  const id = useId();
  const [used] = useState(recent);
  const [query, setQuery] = useState("");
  const search = useRef<HTMLInputElement>(null);
  const isSearch = query.trim() !== "";
  const groups = (
    isSearch
      ? [{ name: words.results, signs: found(query, emojiText) }]
      : [
          { name: words.recent, signs: used },
          ...GROUPS.map((signs, at) => ({ name: words.groups[at] ?? "", signs })),
        ]
  ).filter(({ signs }) => signs.length > 0);

  // With a finger one looks first, and a phone's keyboard would cover the half of it.
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) search.current?.focus({ preventScroll: true });
  }, []);

  function choose(sign: string, isLast: boolean) {
    onChoose(sign, isLast);
    remember(sign);
  }

  /** Enter chooses the first emoji that was found, and must not send the message. */
  function take(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const [first] = isSearch ? (groups[0]?.signs ?? []) : [];
    if (first !== undefined) choose(first, true);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of what is inside
    <div className={styles.picker} onKeyDown={walk}>
      <input
        aria-label={words.search}
        autoComplete="off"
        className={styles.search}
        dir="auto"
        onChange={({ target }) => setQuery(target.value)}
        onKeyDown={take}
        placeholder={words.search}
        ref={search}
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
                onClick={({ detail }) => choose(sign, detail === 0)}
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
