import { text } from "@/shared/text/text";

/** Puts the page's name into the tab's title, with the number of new messages and whether the reader is mentioned. */
export function nameTab(name: string, unread = 0, mentioned = false) {
  const count = unread > 0 ? `(${mentioned ? "@" : ""}${unread > 99 ? "99+" : unread}) ` : "";
  const product = name.includes(text.product) ? "" : ` · ${text.product}`;
  document.title = count + name + product;
}
