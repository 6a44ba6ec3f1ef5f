import { useLocation } from "react-router-dom";
import { ErrorPage } from "@/features/site/pages/ErrorPage";
import { MissingPage } from "@/features/site/pages/MissingPage";
import { NoticePage } from "@/features/site/pages/NoticePage";
import { paths } from "@/shared/contract/pages";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/Button";
import { page } from "../usePageTitle";

const waysOn = () => (
  <>
    <ButtonLink kind="hot" to={paths.roomNew}>
      {text.actions.ownRoom}
    </ButtonLink>
    <ButtonLink to={paths.landing}>{text.actions.toStart}</ButtonLink>
  </>
);

export const expired = page(
  () => text.expired.title,
  () => (
    <NoticePage body={text.expired.body} emoji="⌛" heading={text.expired.text}>
      {waysOn()}
    </NoticePage>
  ),
);

/** Why there was no seat. An unknown reason is shown as a full group. */
function noSeat(search: URLSearchParams) {
  const why = search.get("why");
  if (why === "locked") return { ...text.roomLocked, emoji: "🔒" };
  if (why === "kicked") return { ...text.roomKicked, emoji: "🎈" };
  if (why === "left") return { ...text.roomLeft, title: text.roomLeft.text, emoji: "⛵" };
  return { ...text.roomFull, emoji: "🪑" };
}

function RoomFullPage() {
  const why = noSeat(new URLSearchParams(useLocation().search));
  return (
    <NoticePage body={why.body} emoji={why.emoji} heading={why.text}>
      {waysOn()}
    </NoticePage>
  );
}

export const roomFull = page((search) => noSeat(search).title, RoomFullPage);

export const error = page(() => text.error.heading, ErrorPage);

export const missing = page(() => text.missing.heading, MissingPage);
