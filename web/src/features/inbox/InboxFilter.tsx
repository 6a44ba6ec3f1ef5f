import { conversationText } from "@/shared/text/conversationText";
import { inboxText } from "@/shared/text/inboxText";
import styles from "./InboxList.module.css";
import type { Shelf } from "./inboxStore";

/** What the inbox shows: the notes of a shelf, or only those about which one talks with somebody. */
export type Shown = Shelf | "conversations";

type FilterProps = { shown: Shown; hasTalks: boolean; newLines: number; onShow: (shown: Shown) => void };

export function InboxFilter({ shown, hasTalks, newLines, onShow }: FilterProps) {
  const words = { ...inboxText.shelves, conversations: conversationText.mine.heading };
  const all: Shown[] = ["inbox", "starred", "archive"];
  if (hasTalks) all.push("conversations");
  return (
    <fieldset aria-label={inboxText.filter} className={styles.filter}>
      {all.map((one) => (
        <button
          aria-pressed={shown === one}
          className={styles.chip}
          key={one}
          onClick={() => onShow(one)}
          type="button"
        >
          {words[one]}
          {one === "conversations" && newLines > 0 && (
            <span className={`pill ${styles.fresh}`}>
              <span aria-hidden="true">{newLines > 99 ? "99+" : newLines}</span>
              <span className="visually-hidden">{conversationText.mine.unread(newLines)}</span>
            </span>
          )}
        </button>
      ))}
    </fieldset>
  );
}

type SearchProps = { value: string; onValue: (value: string) => void; hasOlder: boolean };

/** Looks only at what is loaded: the server can't read notes for others, and doesn't search them. */
export function InboxSearch({ value, onValue, hasOlder }: SearchProps) {
  return (
    <search className={styles.search}>
      <input
        aria-label={inboxText.search.label}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: who opens the search wants to type
        autoFocus
        className={styles.box}
        dir="auto"
        onChange={({ target }) => onValue(target.value)}
        placeholder={inboxText.search.label}
        type="search"
        value={value}
      />
      {hasOlder && <p className="soft">{inboxText.search.loadedOnly}</p>}
    </search>
  );
}

/** Whether somebody's words have all that is searched for, in capitals or not. */
export function matches(words: string, wanted: string): boolean {
  const folded = words.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/u)
    .every((part) => folded.includes(part));
}
