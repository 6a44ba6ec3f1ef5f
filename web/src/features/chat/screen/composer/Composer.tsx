import { type FormEvent, type KeyboardEvent, useState } from "react";
import { capped, characters, isBlank } from "@/shared/text/characters";
import { chatText } from "@/shared/text/chatText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { Icon } from "@/shared/ui/icons";
import { longestOf } from "../../sending/messages";
import { useChat, useRoom } from "../chatContext";
import { messageAt } from "../log/rows";
import styles from "./Composer.module.css";
import { EmojiButton } from "./EmojiButton";
import { Mentions } from "./Mentions";
import { MessageBox } from "./MessageBox";
import { PhotoButton } from "./PhotoButton";
import { ReplyBar } from "./ReplyBar";
import { useReplyTo } from "./reply";
import { TypingLine } from "./TypingLine";

/** The counter is shown when at most this many characters are left. */
const TELL_LEFT = 40;
const LEFT_ID = "characters-left";

/** Where one writes. What is typed is state of this component, so that a busy room does not slow down typing. */
export function Composer() {
  const words = chatText.screen.composer;
  const { store, actions, screen } = useRoom();
  const replyTo = useReplyTo();
  const me = useChat((chat) => chat.me);
  const isGroup = useChat((chat) => chat.pair === undefined);
  const max = useChat(longestOf);
  const [message, setMessage] = useState(() => actions.draft().words);
  const left = max - characters(message);

  function keep(next: string) {
    setMessage(next);
    actions.keepDraft({ words: next, replyTo: screen.getState().replyTo });
  }

  function type(next: string) {
    keep(next);
    if (!isBlank(next)) actions.typing();
  }

  function send() {
    if (isBlank(message)) return;
    actions.send(capped(message, max), messageAt(store.getState(), screen.getState().replyTo));
    screen.setState({ replyTo: undefined });
    keep("");
  }

  /** Escape cancels the answer, unless it belongs to an input method or closes the list of members. */
  function cancelReply({ key, nativeEvent }: KeyboardEvent) {
    const state = screen.getState();
    const isReplying = state.replyTo !== undefined && !state.membersShown;
    if (key === "Escape" && isReplying && !nativeEvent.isComposing) replyTo(undefined);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape works in all parts of it; for the mouse there is a button
    <footer className={styles.composer} onKeyDown={cancelReply}>
      <TypingLine />
      <ReplyBar />
      <form
        className={styles.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          send();
        }}
      >
        <EmojiDisc className={styles.me} emoji={me} size="s" />
        <div className={styles.box}>
          <Mentions>
            <MessageBox
              max={max}
              describedBy={left <= TELL_LEFT ? LEFT_ID : undefined}
              onSend={send}
              onValue={type}
              value={message}
            />
          </Mentions>
          <EmojiButton />
          {isGroup && <PhotoButton />}
        </div>
        {left <= TELL_LEFT && (
          <span
            className={`pill ${styles.left}`}
            data-full={left <= 0 || undefined}
            id={LEFT_ID}
            title={words.left(left)}
          >
            {left}
          </span>
        )}
        <button
          aria-disabled={isBlank(message) || undefined}
          aria-label={words.send}
          className={styles.send}
          // Keeps a phone's keyboard open for the next message.
          onPointerDown={(event) => event.preventDefault()}
          title={words.send}
          type="submit"
        >
          <Icon name="send" size={24} />
        </button>
      </form>
    </footer>
  );
}
