import { BlogPage } from "@/features/site/pages/BlogPage";
import { ReadingPage } from "@/features/site/pages/ReadingPage";
import { reading } from "@/shared/text/reading";
import { page } from "../usePageTitle";

export const about = page(
  () => reading.about.title,
  () => <ReadingPage reading={reading.about} />,
);
export const terms = page(
  () => reading.terms.title,
  () => <ReadingPage reading={reading.terms} />,
);
export const privacy = page(
  () => reading.privacy.title,
  () => <ReadingPage reading={reading.privacy} />,
);
export const blog = page(() => reading.blog.title, BlogPage);
