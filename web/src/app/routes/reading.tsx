import { useLoaderData } from "react-router-dom";
import { OwnWords } from "@/features/site/pages/OwnWords";
import { BlogPage, ForgetMe, ReadingPage } from "@/features/site/pages/ReadingPage";
import { api, type Schemas } from "@/shared/api/api";
import { reading } from "@/shared/text/reading";
import { page } from "../usePageTitle";

/**
 * The operator's own words are read with the page; without an answer the page is as it comes. Where there are none, the
 * page has no loader: with one, the router wouldn't leave it where its reader has scrolled to.
 */
const ownWords = (name: "terms" | "privacy") =>
  !import.meta.env.SSR && document.documentElement.dataset.ownWords
    ? {
        loader: () =>
          api("get", "/api/words/{page}", { params: { page: name } }).then(
            ({ data }) => data,
            () => [],
          ),
      }
    : {};

const useOwnWords = () => useLoaderData<Schemas["OwnWordsOfPage"]["data"] | undefined>();

export const about = page(
  () => reading.about.title,
  () => <ReadingPage reading={reading.about} />,
);
export const terms = {
  ...page(
    () => reading.terms.title,
    () => (
      <ReadingPage reading={reading.terms}>
        <OwnWords words={useOwnWords()} />
      </ReadingPage>
    ),
  ),
  ...ownWords("terms"),
};
export const privacy = {
  ...page(
    () => reading.privacy.title,
    () => (
      <ReadingPage reading={reading.privacy}>
        <ForgetMe />
        <OwnWords words={useOwnWords()} />
      </ReadingPage>
    ),
  ),
  ...ownWords("privacy"),
};
export const blog = page(() => reading.blog.title, BlogPage);
