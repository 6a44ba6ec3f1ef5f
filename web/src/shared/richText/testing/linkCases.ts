import LINKS from "./links.json" with { type: "json" };

/**
 * Each case has a message, the message as it is shown with its links in brackets, and the addresses of the links. The
 * table leaves out a message that equals the shown text without brackets, and an address that equals the link's text.
 */
export const CASES = Object.values<(string | string[])[]>(LINKS).flatMap((group) =>
  group.map((one): [message: string, shown: string, ...opened: string[]] => {
    const [shown = "", message = shown.replace(/[⟦⟧]/gu, ""), ...opened] = [one].flat();
    const letters = Array.from(shown.matchAll(/⟦(.*?)⟧/gu), ([, link = ""]) => link);
    return [message, shown, ...(opened.length > 0 ? opened : letters.map(openedBy))];
  }),
);

/** The address that a browser opens when somebody types these letters into it. */
function openedBy(letters: string): string {
  return new URL(letters.replace(/^www\./u, "https://www.")).href;
}
