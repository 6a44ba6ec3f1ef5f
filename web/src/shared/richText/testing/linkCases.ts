import LINKS from "./links.json" with { type: "json" };

/**
 * Messages, how each is shown with its links in brackets, and where they lead. The table says how it is shown; the
 * message, where it isn't that without the brackets; and where a link leads, where that isn't what its letters say.
 */
export const CASES = Object.values<(string | string[])[]>(LINKS).flatMap((group) =>
  group.map((one): [message: string, shown: string, ...opened: string[]] => {
    const [shown = "", message = shown.replace(/[⟦⟧]/gu, ""), ...opened] = [one].flat();
    const letters = Array.from(shown.matchAll(/⟦(.*?)⟧/gu), ([, link = ""]) => link);
    return [message, shown, ...(opened.length > 0 ? opened : letters.map(openedBy))];
  }),
);

/** Where one comes to who types this into a browser. */
function openedBy(letters: string): string {
  return new URL(letters.replace(/^www\./u, "https://www.")).href;
}
