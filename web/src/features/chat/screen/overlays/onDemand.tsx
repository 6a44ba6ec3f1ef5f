import { type ComponentType, useEffect, useState } from "react";
import { complain } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import { useRoom, useScreen } from "../chatContext";
import { nothingOpen, type Screen } from "../screen";

/**
 * A part of the screen that is fetched when it is first wanted, and drawn as long as it is. Unlike React's `lazy`,
 * fetching that fails takes nothing away, and is tried again the next time.
 */
export function onDemand(isWanted: (screen: Screen) => boolean, load: () => Promise<ComponentType>) {
  let known: ComponentType | undefined;

  return function OnDemandPart() {
    const { screen } = useRoom();
    const wanted = useScreen(isWanted);
    const [Part, setPart] = useState(() => known);

    useEffect(() => {
      if (!wanted || known) return;
      load().then(
        (part) => {
          known = part;
          setPart(() => part);
        },
        () => {
          complain(chatText.screen.notLoaded);
          screen.setState(nothingOpen);
        },
      );
    }, [wanted, screen]);

    return wanted && Part ? <Part /> : null;
  };
}
