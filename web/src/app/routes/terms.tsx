import { ReadingPage } from "@/features/site/pages/ReadingPage";
import { reading } from "@/shared/text/reading";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => reading.terms.title };

export function Component() {
  return <ReadingPage reading={reading.terms} />;
}
