/** What the browser shows of a message: words of the server's, and the page that a click opens. */
export type Shown = { title: string; body: string; lang: string; tag: string; page: string };

/** What is shown where a message can't be read. Something always is: a browser ends a subscription that shows nothing. */
const UNREADABLE = { en: "There’s something new", de: "Es gibt etwas Neues" };

/** Reads a message, which has the form of Declarative Web Push. Only pages of this site are opened. */
export function shownOf(
  message: unknown,
  { origin, host }: Pick<URL, "origin" | "host">,
  language: string,
): Shown {
  const lang = language.startsWith("de") ? "de" : "en";
  const shown = { title: host, body: UNREADABLE[lang], lang, tag: "", page: `${origin}/` };
  if (!isObject(message) || !isObject(message.notification)) return shown;
  const { title, body, lang: said, tag, navigate } = message.notification;
  if (typeof title !== "string" || typeof body !== "string" || body === "") return shown;
  const isOurs = typeof navigate === "string" && URL.parse(navigate)?.origin === origin;
  return {
    title,
    body,
    lang: typeof said === "string" ? said : lang,
    tag: typeof tag === "string" ? tag : "",
    page: isOurs ? navigate : shown.page,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Which of the open pages a click leads to: the same page, else none. */
export function pageAt<Page extends { url: string }>(
  pages: readonly Page[],
  wanted: string,
): Page | undefined {
  const place = (address: string) => address.split("#")[0];
  return pages.find(({ url }) => place(url) === place(wanted));
}
