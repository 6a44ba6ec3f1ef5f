import { text } from "@/shared/text/text";

/** Names the tab after what is shown in it, with how much of that is new, and whether one is meant there. */
export function nameTab(name: string, unread = 0, mentioned = false) {
  const count = unread > 0 ? `(${mentioned ? "@" : ""}${unread > 99 ? "99+" : unread}) ` : "";
  const product = name.includes(text.product) ? "" : ` · ${text.product}`;
  document.title = count + name + product;
}
