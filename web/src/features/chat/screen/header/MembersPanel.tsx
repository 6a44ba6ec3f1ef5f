import { useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { useOverlay } from "@/shared/overlays";
import { useRoom, useScreen } from "../chatContext";
import { MemberList } from "./MemberList";

/** As wide as the styles want it for the members to stand beside the talk. */
const wide = matchMedia("(min-width: 68.75rem)");

const TOGGLE = "[aria-controls=members]";

/** The list of members: beside the talk where there is room for it, and else over it while it is asked for. */
export function MembersPanel() {
  const { screen } = useRoom();
  const shown = useScreen((state) => state.membersShown);
  const isBeside = useSyncExternalStore(listen, () => wide.matches);
  // Once drawn it stays: it slides away, too.
  const [isDrawn, setDrawn] = useState(false);
  if ((shown || isBeside) && !isDrawn) setDrawn(true);

  const hadFocus = useRef(false);

  // On the other side of that width no list lies over the talk. What had the focus may be gone from the page by now.
  useLayoutEffect(() => {
    screen.setState({ membersShown: false, seatMenu: undefined });
    if (hadFocus.current) document.querySelector<HTMLElement>(isBeside ? "#members" : TOGGLE)?.focus();
  }, [isBeside, screen]);

  function close() {
    // Somebody who writes goes on writing.
    if (hadFocus.current) document.querySelector<HTMLElement>(TOGGLE)?.focus();
    screen.setState({ membersShown: false });
  }

  if (!isDrawn) return null;
  return (
    <>
      {shown && <Closable onClose={close} />}
      <MemberList
        onBlur={({ relatedTarget }) => {
          // Nothing else has it where what had it is gone.
          if (relatedTarget) hadFocus.current = false;
        }}
        onClose={close}
        onFocus={() => {
          hadFocus.current = true;
        }}
        shown={shown}
      />
    </>
  );
}

function Closable({ onClose }: { onClose: () => void }) {
  useOverlay(onClose);
  return null;
}

function listen(onChange: () => void) {
  wide.addEventListener("change", onChange);
  return () => wide.removeEventListener("change", onChange);
}
