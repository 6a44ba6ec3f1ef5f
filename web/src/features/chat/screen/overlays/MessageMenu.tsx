import { type ComponentProps, useEffect } from "react";
import { copyText } from "@/shared/clipboard";
import { UNSEND_WITHIN_SECONDS } from "@/shared/contract/limits";
import { showError, showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { withoutDirections } from "@/shared/text/directions";
import { Menu } from "@/shared/ui/overlay/Menu";
import type { Message } from "../../model/chat";
import { useChat, useRoom } from "../chatContext";
import { useCanReply, useReply } from "../composer/reply";
import { messageOf } from "../log/rows";
import { AtHand } from "../message/AtHand";
import { hasMenu } from "../message/useMessageMenu";
import { momentOf } from "../moment";
import { useReactions, whoReacted } from "../reactions";
import type { MenuPlace } from "../screen";
import styles from "./MessageMenu.module.css";

/** The menu of a message, at the place where it was opened. */
export function MessageMenu({ place, onClose }: { place: MenuPlace; onClose: () => void }) {
  const words = chatText.screen.message;
  const { actions, screen } = useRoom();
  const reply = useReply();
  const canReply = useCanReply();
  const message = useChat((chat) => messageOf(chat, place.key));
  const amCreator = useChat((chat) => chat.amCreator);
  // A conversation is reported as a whole, from its own menu.
  const isGroup = useChat((chat) => chat.pair === undefined);
  const isGone = !message || !hasMenu(message);

  // While the menu was open the message was taken back, or the upload that one could cancel has ended.
  useEffect(() => {
    if (isGone) onClose();
  });

  if (isGone) return null;
  const { state } = message.delivery;
  const failed = state === "failed";
  const canRetractAsCreator = amCreator && message.seq !== undefined && !canRetract(message);

  const canReport = isGroup && !message.mine && message.seq !== undefined;

  /** The row disappears, and the focus must not be lost. */
  function dismiss() {
    place.from.closest<HTMLElement>("[role=log]")?.focus({ preventScroll: true });
    if (message) actions.dismiss(message);
  }

  return (
    <Menu
      above={canReply(message) ? (choose) => <MenuReactions choose={choose} message={message} /> : undefined}
      entries={[
        canReply(message) && { label: words.reply, act: () => reply(message) },
        message.words !== "" && { label: words.copy, act: () => void copy(message) },
        canRetractAsCreator && {
          label: words.retractForAll,
          act: () => void actions.retractAsCreator(message),
          danger: true,
        },
        canRetract(message) && { label: words.retract, act: () => actions.retract(message), danger: true },
        canReport && {
          label: words.report,
          act: () => screen.setState({ open: { is: "report", key: place.key } }),
        },
        failed && { label: words.retry, act: () => actions.retry(message) },
        failed && { label: words.dismiss, act: dismiss },
        (state === "uploading" || state === "waiting") && { label: appText.dialog.cancel, act: dismiss },
      ]}
      from={place.from}
      label={words.actions}
      onClose={onClose}
      point={place.point}
    />
  );
}

type Chosen = Pick<ComponentProps<typeof AtHand>, "message" | "choose">;

/** Reactions to choose from, and who has reacted. */
function MenuReactions({ message, choose }: Chosen) {
  const { react } = chatText.screen.reactions;
  const me = useChat((chat) => chat.me);
  const reactions = useReactions(message);
  const label = reactions.length > 0 ? `${react}. ${whoReacted(reactions, me)}` : react;
  return (
    <>
      <AtHand choose={choose} in="menu" label={label} message={message} />
      {reactions.length > 0 && (
        <div aria-hidden="true" className={styles.who}>
          {reactions.map(({ sign, from }) => (
            <p key={sign}>
              {sign}
              <span>{from.join("")}</span>
            </p>
          ))}
        </div>
      )}
      <hr className={styles.line} />
    </>
  );
}

/** Copies without direction marks: where the text is pasted, they could reverse other text. */
async function copy({ words }: Message) {
  if (await copyText(withoutDirections(words))) showNotice(chatText.screen.message.copied);
  else showError(chatText.screen.message.notCopied);
}

/** Only messages of one's own can be taken back, and only for a while. */
function canRetract({ mine, delivery, retracted, time }: Message): boolean {
  const now = Date.now();
  const isRecent = now - momentOf(time, now) < UNSEND_WITHIN_SECONDS * 1000;
  return mine && !retracted && delivery.state === "sent" && isRecent;
}
