import { useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { useOverlay } from "@/shared/overlays";
import { useRoom, useScreen } from "../chatContext";
import { MemberList } from "./MemberList";

/** As wide as the styles want it for the members to stand beside the talk. */
const wide = matchMedia("(min-width: 68.75rem)");

const TOGGLE = "[aria-controls=members]";

/** Whether the members have room beside the talk, and whether they are shown: there, or over the talk. */
export function useMembers() {
  const isWide = useSyncExternalStore(listen, () => wide.matches);
  const shown = useScreen((state) => (isWide ? state.membersBeside : state.membersShown));
  return { isWide, shown };
}

/** The list of members: beside the talk where there is room for it, and else over it while it is asked for. */
export function MembersPanel() {
  const { screen } = useRoom();
  const { isWide, shown } = useMembers();
  // Once drawn over the log, the list stays in the page, so that it can also slide away.
  const [isDrawn, setDrawn] = useState(false);
  if (shown && !isDrawn) setDrawn(true);

  const hadFocus = useRef(false);

  // On the other side of that width no list lies over the talk. What had the focus may be gone from the page by now.
  useLayoutEffect(() => {
    screen.setState(({ open }) => ({
      membersShown: false,
      open: open?.is === "seatMenu" ? undefined : open,
    }));
    const list = isWide ? document.querySelector<HTMLElement>("#members") : null;
    if (hadFocus.current) (list ?? document.querySelector<HTMLElement>(TOGGLE))?.focus();
  }, [isWide, screen]);

  function close() {
    // The focus returns to the button only if the list had it: somebody who writes keeps it.
    if (hadFocus.current) document.querySelector<HTMLElement>(TOGGLE)?.focus();
    screen.setState({ membersShown: false });
  }

  if (!isDrawn || (isWide && !shown)) return null;
  return (
    <>
      {shown && !isWide && <Closable onClose={close} />}
      <MemberList
        data-beside={isWide || undefined}
        onBlur={({ relatedTarget }) => {
          // Without a related target the focused element was removed, and the focus still belongs to the list.
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
