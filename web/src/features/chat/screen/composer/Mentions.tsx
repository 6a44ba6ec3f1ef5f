import { useId, useLayoutEffect, useState } from "react";
import { chatText } from "@/shared/text/chatText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import type { Emoji } from "../../model/chat";
import { useChat } from "../chatContext";
import { memberName } from "../named";
import styles from "./Mentions.module.css";
import { typeInto } from "./reply";

/** `shut` is true after Escape: this "@" mentions nobody. */
type Asked = Query & { field: HTMLTextAreaElement; at: number; shut?: true };

/**
 * Offers the members when "@" is typed in the field inside. The field keeps the focus, but this component gets its keys
 * first: Enter chooses a member instead of sending, and Escape closes only this list.
 */
export function Mentions({ children }: { children: React.ReactNode }) {
  const id = useId();
  const members = useChat((chat) => chat.members);
  const me = useChat((chat) => chat.me);
  const [asked, setAsked] = useState<Asked>();
  const others = members.filter((emoji) => emoji !== me);
  const emojis = asked && !asked.shut ? askedFor(asked.typed, others) : [];
  const at = Math.min(asked?.at ?? 0, emojis.length - 1);
  const chosen = emojis[at];
  const field = chosen === undefined ? undefined : asked?.field;

  // Screen readers announce the chosen item as if it had the focus.
  useLayoutEffect(() => {
    if (!field) return undefined;
    field.setAttribute("aria-controls", id);
    field.setAttribute("aria-activedescendant", id + at);
    return () => {
      field.removeAttribute("aria-controls");
      field.removeAttribute("aria-activedescendant");
    };
  }, [field, id, at]);

  /** Only typing opens the list, not moving the caret to an "@". */
  function look({ target }: React.SyntheticEvent, isTyped: boolean) {
    if (!(target instanceof HTMLTextAreaElement)) return;
    const { selectionStart, selectionEnd, value } = target;
    const query = selectionStart === selectionEnd ? queryAt(value, selectionStart) : undefined;
    setAsked((before) => {
      if (!query || !(isTyped || before)) return undefined;
      if (before?.from !== query.from) return { ...query, field: target, at: 0 };
      return before.typed === query.typed ? before : { ...before, ...query, at: 0 };
    });
  }

  function press(event: React.KeyboardEvent) {
    if (!asked || chosen === undefined || event.nativeEvent.isComposing) return;
    const { key } = event;
    if (key === "ArrowDown") move(1);
    else if (key === "ArrowUp") move(-1);
    else if ((key === "Enter" || key === "Tab") && !event.shiftKey) choose(chosen);
    else if (key === "Escape") setAsked({ ...asked, shut: true });
    else return;
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
  }

  function move(by: number) {
    if (asked) setAsked({ ...asked, at: (at + by + emojis.length) % emojis.length });
  }

  function choose(emoji: Emoji) {
    if (asked) typeInto(asked.field, `@${emoji} `, asked.from);
    setAsked(undefined);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events come from the field inside
    <div
      className={styles.around}
      onBlur={() => setAsked(undefined)}
      onInput={(event) => look(event, true)}
      onKeyDownCapture={press}
      onSelect={(event) => look(event, false)}
    >
      {children}
      {emojis.length > 0 && (
        <div aria-label={chatText.screen.composer.mention} className={styles.list} id={id} role="listbox">
          {emojis.map((emoji, place) => (
            <button
              aria-selected={place === at}
              className={styles.emoji}
              id={id + place}
              key={emoji}
              onClick={() => choose(emoji)}
              // The field keeps the focus, and a phone keeps its keyboard open.
              onPointerDown={(event) => event.preventDefault()}
              ref={place === at ? intoView : undefined}
              role="option"
              tabIndex={-1}
              type="button"
            >
              <EmojiDisc emoji={emoji} size="s" />
              {memberName(emoji)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function intoView(option: HTMLElement | null) {
  option?.scrollIntoView({ block: "nearest" });
}

type Query = { from: number; typed: string };

const ASKED = /(?<![\p{L}\p{N}])@([\p{L}\p{M}]*)$/u;

function queryAt(words: string, caret: number): Query | undefined {
  const match = ASKED.exec(words.slice(0, caret));
  return match ? { from: match.index, typed: match[1] ?? "" } : undefined;
}

/** The members whose name, in the reader's language, begins with what was typed. */
function askedFor(typed: string, emojis: readonly Emoji[]): Emoji[] {
  const begun = typed.normalize().toLocaleLowerCase();
  return emojis.filter((emoji) => memberName(emoji).toLocaleLowerCase().startsWith(begun));
}
