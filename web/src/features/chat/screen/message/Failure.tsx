import { chatText } from "@/shared/text/chatText";
import { Button } from "@/shared/ui/Button";
import type { Message } from "../../model/chat";
import { useRoom } from "../chatContext";
import styles from "./MessageRow.module.css";

/** Why a message wasn't sent, and the two ways out. */
export function Failure({ message, why }: { message: Message; why: string }) {
  const words = chatText.screen.message;
  const { actions } = useRoom();

  /** The buttons go, and the focus must not go with them. */
  function act(what: (message: Message) => void, button: HTMLElement) {
    button.closest<HTMLElement>("[role=log]")?.focus({ preventScroll: true });
    what(message);
  }

  return (
    <div className={styles.failure}>
      <p className={styles.why}>
        {words.failed}
        {why !== "" && `: ${why}`}
      </p>
      <Button onClick={({ currentTarget }) => act(actions.retry, currentTarget)} size="s">
        {words.retry}
      </Button>
      <Button onClick={({ currentTarget }) => act(actions.dismiss, currentTarget)} size="s">
        {words.dismiss}
      </Button>
    </div>
  );
}
