import { ErrorPage } from "@/features/site/pages/ErrorPage";
import { Notice } from "@/features/site/pages/Notice";
import { paths } from "@/shared/paths";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/ButtonLink";
import { page } from "../page";

const toStart = () => <ButtonLink to={paths.landing}>{text.actions.toStart}</ButtonLink>;

export const expired = page(
  () => text.expired.title,
  () => (
    <Notice body={text.expired.body} emoji="⌛" heading={text.expired.text}>
      {toStart()}
    </Notice>
  ),
);

export const roomFull = page(
  () => text.roomFull.title,
  () => (
    <Notice body={text.roomFull.body} emoji="🪑" heading={text.roomFull.text}>
      {toStart()}
    </Notice>
  ),
);

export const error = page(() => text.error.title, ErrorPage);
