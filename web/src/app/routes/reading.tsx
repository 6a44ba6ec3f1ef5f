import { BlogPage, ReadingPage } from "@/features/site/pages/ReadingPage";
import { reading } from "@/shared/text/reading";
import { page } from "../usePageTitle";

const readingPage = (name: "about" | "terms" | "privacy") =>
  page(
    () => reading[name].title,
    () => <ReadingPage reading={reading[name]} />,
  );

export const about = readingPage("about");
export const terms = readingPage("terms");
export const privacy = readingPage("privacy");
export const blog = page(() => reading.blog.title, BlogPage);
