import { Notice } from "@/features/site/pages/Notice";
import { paths } from "@/shared/paths";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/ButtonLink";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => text.beingBuilt.title };

export function Component() {
  return (
    <Notice body={text.beingBuilt.body} emoji="🚧" heading={text.beingBuilt.heading}>
      <ButtonLink to={paths.landing}>{text.actions.toStart}</ButtonLink>
    </Notice>
  );
}
