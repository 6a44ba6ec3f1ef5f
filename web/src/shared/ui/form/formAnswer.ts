/** The server's answer to a form that was sent without scripts, or before they ran. */
export type FormAnswer = "sent" | { why: string; words: string; link: string };

/**
 * The answer that the page on the screen came with. When the pages are drawn, the address says which answer to draw;
 * the server puts its words in.
 */
export function formAnswer(search: string): FormAnswer | undefined {
  if (import.meta.env.SSR) {
    if (search === "?refused") return { why: "{why}", words: "{words}", link: "{link}" };
    return search === "?sent" ? "sent" : undefined;
  }
  const page = document.querySelector<HTMLElement>("[data-answer]");
  if (page?.dataset.answer !== "refused") return page?.dataset.answer === "sent" ? "sent" : undefined;
  const why = page.querySelector("[role=alert]")?.textContent ?? "";
  const link = page.querySelector<HTMLInputElement>("input[name=link]")?.value ?? "";
  return { why, words: page.querySelector("textarea")?.value ?? "", link };
}
