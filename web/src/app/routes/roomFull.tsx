import { Notice } from "@/features/site/pages/Notice";
import { paths } from "@/shared/paths";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/ButtonLink";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => text.roomFull.title };

export function Component() {
  return (
    <Notice body={text.roomFull.body} emoji="🪑" heading={text.roomFull.text}>
      <ButtonLink to={paths.landing}>{text.actions.toStart}</ButtonLink>
    </Notice>
  );
}
