import { BlogPage, ForgetMe, ReadingPage } from "@/features/site/pages/ReadingPage";
import { reading } from "@/shared/text/reading";
import { page } from "../usePageTitle";

const readingPage = (name: "about" | "terms") =>
  page(
    () => reading[name].title,
    () => <ReadingPage reading={reading[name]} />,
  );

export const about = readingPage("about");
export const terms = readingPage("terms");
export const privacy = page(
  () => reading.privacy.title,
  () => (
    <ReadingPage reading={reading.privacy}>
      <ForgetMe />
    </ReadingPage>
  ),
);
export const blog = page(() => reading.blog.title, BlogPage);
