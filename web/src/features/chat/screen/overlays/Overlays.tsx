import { type ComponentType, useEffect, useState } from "react";
import { showError } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import { useRoom, useScreen } from "../chatContext";

/**
 * Menus and dialogs. Their code is fetched when the first one is opened. Unlike with React's `lazy`, a failed fetch
 * removes nothing from the screen, and is tried again the next time.
 */
export function Overlays() {
  const { screen } = useRoom();
  const wanted = useScreen(({ open }) => open !== undefined);
  const [Opened, setOpened] = useState<ComponentType>();

  useEffect(() => {
    if (!wanted || Opened) return;
    import("./Opened").then(
      (fetched) => setOpened(() => fetched.Opened),
      () => {
        showError(chatText.screen.notLoaded);
        screen.setState({ open: undefined });
      },
    );
  }, [wanted, Opened, screen]);

  return Opened && <Opened />;
}
