import { BlogPage } from "@/features/site/pages/BlogPage";
import { reading } from "@/shared/text/reading";
import type { PageHandle } from "../usePageTitle";

export const handle: PageHandle = { title: () => reading.blog.title };

export function Component() {
  return <BlogPage />;
}
