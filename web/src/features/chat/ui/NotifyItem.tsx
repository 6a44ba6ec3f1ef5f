import { Menu } from "@base-ui/react/menu";
import { useState } from "react";
import { complain } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import { canNotify, notificationsAreOn, turnNotificationsOff, turnNotificationsOn } from "../notifications";
import styles from "./Menu.module.css";

/** Turns notifications on and off. The browser asks when this is tapped, and never before. */
export function NotifyItem() {
  const words = chatText.screen.menu;
  const [on, setOn] = useState(notificationsAreOn);
  if (!canNotify()) return null;

  async function toggle() {
    if (on) {
      turnNotificationsOff();
      setOn(false);
      return;
    }
    const allowed = await turnNotificationsOn();
    setOn(allowed);
    if (!allowed) complain(words.notifyRefused);
  }

  return (
    <Menu.Item className={styles.item} onClick={() => void toggle()}>
      {on ? words.notifyOff : words.notify}
    </Menu.Item>
  );
}
