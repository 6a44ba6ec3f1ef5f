import { type ComponentType, useEffect } from "react";
import { type Params, useLocation, useMatches } from "react-router-dom";
import { nameTab } from "@/shared/tabTitle";
import { text } from "@/shared/text/text";

/** What a route module exports as `handle`. */
export type PageHandle = {
  title: (search: URLSearchParams, params: Params) => string;
  /** Whether the page itself writes the tab's title, because it has the number of new messages. */
  counts?: boolean;
};

/** Writes the page's title. For the first page the server has done that; other pages are opened without the server. */
export function usePageTitle() {
  const match = useMatches().at(-1);
  const handle = match?.handle as PageHandle | undefined;
  const title = handle?.title(new URLSearchParams(useLocation().search), match?.params ?? {}) ?? text.product;

  useEffect(() => {
    if (!handle?.counts) nameTab(title);
  }, [title, handle]);
}

/** A page of a module with several pages: small pages are in one file, because a visitor often opens more of them. */
export const page = (title: PageHandle["title"], Component: ComponentType) => ({
  handle: { title } satisfies PageHandle,
  Component,
});
