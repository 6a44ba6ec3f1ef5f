export type Address = { href: string; shown: string };

/** Hosts as the parser writes them. The parser also accepts `bank.com,evil.example`, which one reads as two hosts. */
const HOST = /^(?:(?:[a-z0-9_-]+\.)*[a-z0-9_-]+\.?|\[[0-9a-f:.]+\])$/u;

/** An address of the web. Undefined for other schemes, and for addresses with a user name. */
export function webAddress(typed: string): Address | undefined {
  const hasScheme = !/^www\./iu.test(typed);
  try {
    const url = new URL(hasScheme ? typed : `https://${typed}`);
    const isWeb = url.protocol === "https:" || url.protocol === "http:";
    if (!isWeb || !HOST.test(url.hostname) || url.username !== "" || url.password !== "") return undefined;
    return { href: url.href, shown: shownAddress(url, hasScheme, typed.endsWith("/")) };
  } catch {
    return undefined;
  }
}

/**
 * The address that will be opened, not the one that was typed. The browser's parser finds the end of the host, and
 * writes letters of the host that are not ASCII as punycode. So a host that imitates another one looks different.
 */
function shownAddress(url: URL, withScheme: boolean, withLastSlash: boolean): string {
  const rest = readable(url.pathname + url.search + url.hash);
  const scheme = withScheme ? `${url.protocol}//` : "";
  return scheme + url.host + (rest === "/" && !withLastSlash ? "" : rest);
}

const ENCODED = /(?:%[89a-f][0-9a-f])+/giu;
/** Letters, their marks, and digits. Blanks, and signs that look like slashes, stay encoded. */
const LETTER = /^[\p{Letter}\p{Mark}\p{Number}]$/u;
const UNSEEN = /^\p{Default_Ignorable_Code_Point}$/u;

/** Decodes letters of other languages after the host: `/wiki/Köln`. */
function readable(rest: string): string {
  return rest.replace(ENCODED, (run) => {
    try {
      return Array.from(decodeURIComponent(run), (sign) =>
        LETTER.test(sign) && !UNSEEN.test(sign) ? sign : encodeURIComponent(sign),
      ).join("");
    } catch {
      return run;
    }
  });
}
