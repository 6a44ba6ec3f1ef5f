import { GetStartedPage } from "@/features/site/getStarted/GetStartedPage";
import { PlainHeader } from "@/features/site/PlainHeader";
import { tourText } from "@/shared/text/tourText";
import { Frame } from "../Frame";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => tourText.title };

export function Component() {
  return (
    <Frame header={<PlainHeader />}>
      <GetStartedPage />
    </Frame>
  );
}
