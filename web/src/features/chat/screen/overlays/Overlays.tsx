import { useEffect, useState } from "react";
import { showError } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import { useRoom, useScreen } from "../chatContext";

/** All that lies over the screen for a while; known once it was first wanted. */
let Opened: typeof import("./Opened").Opened | undefined;

/** Unlike with React's `lazy`, fetching that fails takes nothing away, and is tried again the next time. */
export function Overlays() {
  const { screen } = useRoom();
  const wanted = useScreen(({ open }) => open !== undefined);
  const [isThere, setThere] = useState(Opened !== undefined);

  useEffect(() => {
    if (!wanted || isThere) return;
    import("./Opened").then(
      (fetched) => {
        Opened = fetched.Opened;
        setThere(true);
      },
      () => {
        showError(chatText.screen.notLoaded);
        screen.setState({ open: undefined });
      },
    );
  }, [wanted, isThere, screen]);

  return Opened ? <Opened /> : null;
}
