import { useLoaderData } from "react-router-dom";
import { OwnWords } from "@/features/site/pages/OwnWords";
import { BlogPage, ForgetMe, ReadingPage } from "@/features/site/pages/ReadingPage";
import { api } from "@/shared/api/api";
import { reading } from "@/shared/text/reading";
import { page } from "../usePageTitle";

/** The operator's own words are read with the page; without an answer the page is as it comes. */
const ownWords = (name: "terms" | "privacy") => () =>
  !import.meta.env.SSR && document.documentElement.dataset.ownWords
    ? api("get", "/api/words/{page}", { params: { page: name } }).then(
        ({ data }) => data,
        () => [],
      )
    : [];

type Words = Awaited<ReturnType<ReturnType<typeof ownWords>>>;

export const about = page(
  () => reading.about.title,
  () => <ReadingPage reading={reading.about} />,
);
export const terms = {
  ...page(
    () => reading.terms.title,
    () => (
      <ReadingPage reading={reading.terms}>
        <OwnWords words={useLoaderData<Words>()} />
      </ReadingPage>
    ),
  ),
  loader: ownWords("terms"),
};
export const privacy = {
  ...page(
    () => reading.privacy.title,
    () => (
      <ReadingPage reading={reading.privacy}>
        <ForgetMe />
        <OwnWords words={useLoaderData<Words>()} />
      </ReadingPage>
    ),
  ),
  loader: ownWords("privacy"),
};
export const blog = page(() => reading.blog.title, BlogPage);
