import { copyAndTell } from "@/shared/clipboard";
import { roomLink, shareLink } from "@/shared/links";
import { showError, showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { Menu, type MenuEntry } from "@/shared/ui/overlay/Menu";
import { canNotify, notificationsAreOn, startNotifying, stopNotifying } from "../../notifications";
import { setSound, soundIsOn } from "../../sounds";
import { useChat, useRoom } from "../chatContext";
import type { Overlay } from "../screen";

/** The group's menu. Its last entries ask before they do anything. */
export function RoomMenu({ from, onClose }: { from: HTMLElement; onClose: () => void }) {
  const words = chatText.screen.menu;
  const { actions, screen } = useRoom();
  const room = useChat((chat) => chat.room);
  const amCreator = useChat((chat) => chat.amCreator);
  const link = roomLink(room.id);
  const sound = soundIsOn();
  const open = (next: Overlay) => () => screen.setState({ open: next });

  return (
    <Menu
      entries={[
        { label: appText.home.invite.copy, act: () => void copyAndTell(link, appText.rooms.copied) },
        { label: words.qr, act: open({ is: "invite" }) },
        typeof navigator.share === "function" && {
          label: words.share,
          act: () => void shareLink({ title: room.name, url: link }),
        },
        "separator",
        { label: sound ? words.mute : words.unmute, act: () => setSound(!sound) },
        canNotify() && notify(),
        "separator",
        amCreator && !room.locked && { label: words.lock, act: open({ is: "question", about: "lock" }) },
        amCreator && room.locked && { label: words.unlock, act: () => void actions.lock(false) },
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
