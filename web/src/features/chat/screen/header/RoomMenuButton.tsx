import { chatText } from "@/shared/text/chatText";
import { IconButton } from "@/shared/ui/IconButton";
import { useRoom, useScreen } from "../chatContext";

/** Opens the group's menu, which is fetched when it first opens. */
export function RoomMenuButton() {
  const { screen } = useRoom();
  const open = useScreen((state) => state.roomMenu !== undefined);
  return (
    <IconButton
      aria-expanded={open}
      aria-haspopup="menu"
      icon="more"
      label={chatText.screen.header.menu}
      onClick={(event) => screen.setState({ roomMenu: event.currentTarget })}
    />
  );
}
