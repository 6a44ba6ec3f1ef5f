import { GetStartedPage } from "@/features/site/getStarted/GetStartedPage";
import { PlainHeader } from "@/features/site/PlainHeader";
import { appText } from "@/shared/text/appText";
import { Frame } from "../Frame";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => appText.getStarted.title };

export function Component() {
  return (
    <Frame header={<PlainHeader />}>
      <GetStartedPage />
    </Frame>
  );
}
