import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router-dom";
import { useOutside } from "@/features/room/useOutside";
import { cameFrom } from "@/features/site/pages/cameFrom";
import { ErrorPage } from "@/features/site/pages/ErrorPage";
import { MissingPage } from "@/features/site/pages/MissingPage";
import { NoticePage } from "@/features/site/pages/NoticePage";
import { paths } from "@/shared/contract/pages";
import { roomPath } from "@/shared/links";
import { nameTab } from "@/shared/tabTitle";
import { awayText } from "@/shared/text/awayText";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/links";
import { Unsent } from "@/shared/ui/Unsent";
import { page } from "../usePageTitle";

type AwayProps = {
  emoji: string;
  words: { text: string; body: string };
  /** Whether one can come in later. `seat`: as soon as a seat is free. */
  again: "seat" | "maybe" | "never";
};

/** Why somebody isn't in a group, with what this tab knows of the group. */
function Away({ emoji, words, again }: AwayProps) {
  const came = cameFrom(useLocation().state);
  const waits = again === "seat";
  const { name, creator, hasSeat = false } = useOutside(came?.room, came?.name, waits);
  useEffect(() => {
    if (hasSeat) nameTab(awayText.free);
  }, [hasSeat]);
  const back = again !== "never" && came && { to: roomPath(came.room, came.key), replace: true };
  let news: ReactNode = "";
  if (back && waits) news = hasSeat ? awayText.free : awayText.waits;
  return (
    <NoticePage
      about={name && { name, more: creator && awayText.by(creator) }}
      body={words.body}
      emoji={emoji}
      heading={words.text}
    >
      <p role="status">{hasSeat ? <strong>{news}</strong> : news}</p>
      {came?.unsent && <Unsent words={came.unsent} />}
      {back && (
        // The page of a sealed group reads its key from the address, where the router doesn't put it in time.
        <ButtonLink {...back} kind={waits ? "hot" : "plain"} reloadDocument={!!came.key}>
          {hasSeat ? awayText.comeIn : text.actions.retry}
        </ButtonLink>
      )}
      <ButtonLink kind={back && waits ? "plain" : "hot"} to={paths.roomNew}>
        {text.actions.ownRoom}
      </ButtonLink>
      <ButtonLink to={paths.landing}>{text.actions.toStart}</ButtonLink>
    </NoticePage>
  );
}

export const expired = page(
  () => text.expired.title,
  () => <Away again="maybe" emoji="⌛" words={text.expired} />,
);

/** Why there was no seat, or is none any more. An unknown reason is shown as a full group. */
function noSeat(search: URLSearchParams): AwayProps & { title: string } {
  const { roomLocked, roomKicked, roomLeft, roomFull } = text;
  const { roomDeleted } = awayText;
  const why = search.get("why");
  if (why === "locked") return { title: roomLocked.title, words: roomLocked, emoji: "🔒", again: "maybe" };
  if (why === "kicked") return { title: roomKicked.title, words: roomKicked, emoji: "🎈", again: "never" };
  if (why === "left") return { title: roomLeft.text, words: roomLeft, emoji: "⛵", again: "maybe" };
  if (why === "deleted") return { title: roomDeleted.title, words: roomDeleted, emoji: "🧹", again: "never" };
  return { title: roomFull.title, words: roomFull, emoji: "🪑", again: "seat" };
}

function RoomFullPage() {
  const { title: _, ...why } = noSeat(new URLSearchParams(useLocation().search));
  return <Away {...why} />;
}

export const roomFull = page((search) => noSeat(search).title, RoomFullPage);

export const error = page(() => text.error.heading, ErrorPage);

export const missing = page(() => text.missing.heading, MissingPage);
