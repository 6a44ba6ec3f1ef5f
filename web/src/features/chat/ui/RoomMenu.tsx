import { Menu } from "@base-ui/react/menu";
import { useState } from "react";
import { copyAndTell } from "@/shared/copyAndTell";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { setSound, soundIsOn } from "../sounds";
import { useChat, useRoom, useScreen } from "./chatContext";
import { inviteLink, shareInvite } from "./invite";
import styles from "./Menu.module.css";
import { NotifyItem } from "./NotifyItem";
import { useLast } from "./useLast";

/** What can be done with the group. The last ones ask before they do it. */
export function RoomMenu() {
  const words = chatText.screen.menu;
  const { actions, screen } = useRoom();
  const room = useChat((chat) => chat.room);
  const amCreator = useChat((chat) => chat.amCreator);
  const button = useScreen((state) => state.roomMenu);
  const place = useLast(button);
  const [sound, setSoundShown] = useState(soundIsOn);
  const link = inviteLink(room.id);

  function toggleSound() {
    setSound(!sound);
    setSoundShown(!sound);
  }

  const items = [
    { label: words.copyLink, act: () => void copyAndTell(link, appText.groups.copied) },
    { label: words.qr, act: () => screen.setState({ inviting: true }) },
    typeof navigator.share === "function" && {
      label: words.share,
      act: () => void shareInvite(room.name, link),
    },
    "separator",
    { label: sound ? words.mute : words.unmute, act: toggleSound },
    "notify",
    "separator",
    amCreator && !room.locked && { label: words.lock, act: () => screen.setState({ asking: "lock" }) },
    amCreator && room.locked && { label: words.unlock, act: () => void actions.lock(false) },
    { label: words.leave, act: () => screen.setState({ asking: "leave" }) },
    amCreator && { label: words.close, act: () => screen.setState({ asking: "close" }), danger: true },
  ] as const;

  return (
    <Menu.Root
      onOpenChange={(open) => !open && screen.setState({ roomMenu: undefined })}
      open={button !== undefined}
    >
      <Menu.Portal container={document.getElementById("main")}>
        <Menu.Positioner align="end" anchor={place ?? null} className={styles.positioner} sideOffset={4}>
          <Menu.Popup
            aria-label={chatText.screen.header.menu}
            className={styles.popup}
            finalFocus={() => place ?? null}
          >
            {items.map((item, at) => {
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is the same each time
              if (item === "separator") return <Menu.Separator className={styles.separator} key={at} />;
              if (item === "notify") return <NotifyItem key="notify" />;
              if (!item) return null;
              return (
                <Menu.Item
                  className={styles.item}
                  data-kind={"danger" in item ? "danger" : undefined}
                  key={item.label}
                  onClick={item.act}
                >
                  {item.label}
                </Menu.Item>
              );
            })}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
