import { useEffect, useState } from "react";
import { complain } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import { useRoom, useScreen } from "../chatContext";
import { nothingOpen, type Screen } from "../screen";

/** All that lies over the screen for a while; known once it was first wanted. */
let Opened: typeof import("./Opened").Opened | undefined;

/** Unlike with React's `lazy`, fetching that fails takes nothing away, and is tried again the next time. */
export function Overlays() {
  const { screen } = useRoom();
  const wanted = useScreen(isOpen);
  const [isThere, setThere] = useState(Opened !== undefined);

  useEffect(() => {
    if (!wanted || isThere) return;
    import("./Opened").then(
      (fetched) => {
        Opened = fetched.Opened;
        setThere(true);
      },
      () => {
        complain(chatText.screen.notLoaded);
        screen.setState(nothingOpen);
      },
    );
  }, [wanted, isThere, screen]);

  return wanted && Opened ? <Opened /> : null;
}

function isOpen({ roomMenu, menu, seatMenu, viewing, chosen, asking, inviting, doomed }: Screen): boolean {
  const open = [roomMenu, menu, seatMenu, viewing, asking, doomed].some((one) => one !== undefined);
  return open || inviting || chosen.length > 0;
}
