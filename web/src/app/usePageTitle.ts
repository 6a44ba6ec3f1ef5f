import { type ComponentType, useEffect } from "react";
import { type Params, useLocation, useMatches } from "react-router-dom";
import { nameTab } from "@/shared/tabTitle";
import { text } from "@/shared/text/text";

/** What a route module exports as `handle`. */
export type PageHandle = {
  title: (search: URLSearchParams, params: Params) => string;
  /** Whether the page names the tab itself, because it counts what is new. */
  counts?: boolean;
};

/** Names the document after the page. The server names the first one; from then on pages change without it. */
export function usePageTitle() {
  const match = useMatches().at(-1);
  const handle = match?.handle as PageHandle | undefined;
  const title = handle?.title(new URLSearchParams(useLocation().search), match?.params ?? {}) ?? text.product;

  useEffect(() => {
    if (!handle?.counts) nameTab(title);
  }, [title, handle]);
}

/** A page of a module that holds several: small pages come in one piece, and who sees one may see the next. */
export const page = (title: PageHandle["title"], Component: ComponentType) => ({
  handle: { title } satisfies PageHandle,
  Component,
});
