import type { Message } from "../../model/chat";
import { useRoom } from "../chatContext";
import { messageOf } from "../log/rows";
import type { MenuPlace } from "../screen";

/** Whether one can do anything with it: not when it was taken back, nor with a bare picture while its message is sent. */
export function hasMenu({ unsent, seq, words, delivery }: Message): boolean {
  return !unsent && (seq !== undefined || words !== "" || delivery.state !== "sending");
}

/** Opens the menu of a line, if there is anything in it. */
export function useMenu() {
  const { store, screen } = useRoom();
  return function openMenu(key: string | undefined, point: MenuPlace["point"], from: HTMLElement) {
    const message = messageOf(store.getState(), key);
    if (message && hasMenu(message)) screen.setState({ menu: { key: message.key, point, from } });
  };
}
