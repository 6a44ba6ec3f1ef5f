import type { ComponentType } from "react";
import type { PageHandle } from "./usePageTitle";

/** A page of a module that holds several: small pages come in one piece, and who sees one may see the next. */
export const page = (title: PageHandle["title"], Component: ComponentType) => ({
  handle: { title } satisfies PageHandle,
  Component,
});
