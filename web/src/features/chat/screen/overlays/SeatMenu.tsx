import { chatText } from "@/shared/text/chatText";
import { Menu } from "@/shared/ui/overlay/Menu";
import { useRoom, useScreen } from "../chatContext";
import { faceName } from "../face";

/** What the creator can do with a member. */
export function SeatMenu() {
  const words = chatText.screen.members;
  const { screen } = useRoom();
  const place = useScreen((state) => state.seatMenu);
  if (!place) return null;
  const { face, from } = place;
  return (
    <Menu
      entries={[
        { label: words.kick(faceName(face)), act: () => screen.setState({ doomed: face }), danger: true },
      ]}
      from={from}
      label={words.menu(faceName(face))}
      onClose={() => screen.setState({ seatMenu: undefined })}
    />
  );
}
