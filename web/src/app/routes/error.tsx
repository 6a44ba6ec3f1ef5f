import { ErrorPage } from "@/features/site/pages/ErrorPage";
import { text } from "@/shared/text/text";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => text.error.title };

export function Component() {
  return <ErrorPage />;
}
