import { Notice } from "@/features/site/pages/Notice";
import { paths } from "@/shared/paths";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/ButtonLink";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => text.expired.title };

export function Component() {
  return (
    <Notice body={text.expired.body} emoji="⌛" heading={text.expired.text}>
      <ButtonLink to={paths.landing}>{text.actions.toStart}</ButtonLink>
    </Notice>
  );
}
