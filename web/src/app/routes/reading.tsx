import type { ReactNode } from "react";
import { useLoaderData } from "react-router-dom";
import { OwnWords } from "@/features/site/pages/OwnWords";
import { BlogPage, ForgetMe, HowLong, ReadingPage } from "@/features/site/pages/ReadingPage";
import { api, type Schemas } from "@/shared/api/api";
import { reading } from "@/shared/text/reading";
import { page } from "../usePageTitle";

type Words = Schemas["OwnWordsOfPage"]["data"];

/**
 * A page with the operator's own words, which are read with it; without an answer it is as it comes. The router doesn't
 * leave a page with a loader where its reader has scrolled to: so there is none where there are no such words, nor for the
 * page that the server has drawn with them.
 */
function withOwnWords(name: "terms" | "privacy" | "imprint", before?: ReactNode) {
  const hasWords = !import.meta.env.SSR && document.documentElement.dataset.ownWords;
  const drawn = hasWords && location.pathname === `/${name}` ? wordsOf(document) : undefined;
  const loader = () =>
    api("get", "/api/words/{page}", { params: { page: name } }).then(
      ({ data }) => data,
      () => [],
    );
  function Page() {
    const loaded = useLoaderData<Words | undefined>();
    return (
      <ReadingPage reading={reading[name]}>
        {before}
        <OwnWords words={drawn ?? loaded} />
      </ReadingPage>
    );
  }
  return { ...page(() => reading[name].title, Page), ...(hasWords && !drawn ? { loader } : {}) };
}

/** The words in the page that the server has drawn. */
function wordsOf(page: Document): Words | undefined {
  const place = page.querySelector("[data-own-words-here] > div");
  return place ? [...place.children].map(block) : undefined;
}

function block({ localName, childNodes }: Element): Words[number] {
  const part = (node: ChildNode) => {
    const text = node.textContent ?? "";
    return node instanceof HTMLAnchorElement ? { text, href: node.getAttribute("href") ?? "" } : { text };
  };
  return { heading: localName === "h3", parts: [...childNodes].map(part) };
}

export const about = page(
  () => reading.about.title,
  () => <ReadingPage reading={reading.about} />,
);
export const terms = withOwnWords("terms");
export const privacy = withOwnWords(
  "privacy",
  <>
    <HowLong />
    <ForgetMe />
  </>,
);
export const imprint = withOwnWords("imprint");
export const blog = page(() => reading.blog.title, BlogPage);
