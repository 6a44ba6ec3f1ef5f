import { copyAndTell } from "@/shared/clipboard";
import { shareLink } from "@/shared/links";
import { showError, showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { groupLinkText } from "@/shared/text/groupLinkText";
import { Menu, type MenuEntry } from "@/shared/ui/overlay/Menu";
import { seatHeaders } from "../../connection/ask";
import { canNotify, notificationsAreOn, startNotifying, stopNotifying } from "../../notifications";
import { setSound, soundIsOn } from "../../sounds";
import { useChat, useRoom } from "../chatContext";
import type { Overlay } from "../screen";
import { useNewestLink } from "./newestLink";

/** The group's menu. Its last entries ask before they do anything. */
export function RoomMenu({ from, onClose }: { from: HTMLElement; onClose: () => void }) {
  const words = chatText.screen.menu;
  const { actions, screen } = useRoom();
  const room = useChat((chat) => chat.room);
  const amCreator = useChat((chat) => chat.amCreator);
  const newestLink = useNewestLink();
  const sound = soundIsOn();
  const open = (next: Overlay) => () => screen.setState({ open: next });

  return (
    <Menu
      entries={[
        {
          label: appText.home.invite.copy,
          act: () => void newestLink().then((link) => copyAndTell(link, appText.rooms.copied)),
        },
        { label: words.qr, act: () => void newestLink().then(open({ is: "invite" })) },
        typeof navigator.share === "function" && {
          label: words.share,
          act: () => void newestLink().then((url) => shareLink({ title: room.name, url })),
        },
        "separator",
        { label: sound ? words.mute : words.unmute, act: () => setSound(!sound) },
        canNotify() && notify(),
        // Creators are told as owners of their account, and a seat that the page carries is lost with it.
        !amCreator &&
          Object.keys(seatHeaders()).length === 0 && { label: groupLinkText.away, act: open({ is: "away" }) },
        "separator",
        amCreator && !room.locked && { label: words.lock, act: open({ is: "question", about: "lock" }) },
        amCreator && room.locked && { label: words.unlock, act: () => void actions.lock(false) },
        amCreator && { label: groupLinkText.renew.action, act: open({ is: "question", about: "newLink" }) },
        amCreator && askFirst(room.askFirst, actions.askFirst),
        { label: words.leave, act: open({ is: "question", about: "leave" }) },
        amCreator && { label: words.close, act: open({ is: "question", about: "close" }), danger: true },
      ]}
      from={from}
      label={appText.more}
      onClose={onClose}
    />
  );
}

function askFirst(isOn: boolean, set: (on: boolean) => Promise<boolean>): MenuEntry {
  const { name, stop, on, off } = appText.rooms.askFirst;
  const act = async () => {
    if (await set(!isOn)) showNotice(isOn ? off : on);
  };
  return { label: isOn ? stop : name, act: () => void act() };
}

/** Turns notifications on or off. The browser asks for permission when this entry is tapped, never before. */
function notify(): MenuEntry {
  const words = chatText.screen.menu;
  if (notificationsAreOn()) return { label: words.notifyOff, act: stopNotifying };
  return {
    label: words.notify,
    act: () => void startNotifying().then((allowed) => allowed || showError(words.notifyRefused)),
  };
}
