export type Address = { href: string; shown: string };

/** Names and numbers of hosts as the parser leaves them. It lets `bank.com,evil.example` pass, which reads as two. */
const HOST = /^(?:(?:[a-z0-9_-]+\.)*[a-z0-9_-]+\.?|\[[0-9a-f:.]+\])$/u;

/** An address of the web, or nothing: other schemes, and addresses that begin with a name to sign in by, are no links. */
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
 * What will be opened, not what was typed: the browser's own parser says where the host ends, and writes every letter
 * of it that isn't plain ASCII as punycode. So a host that only looks like another one reads differently.
 */
function shownAddress(url: URL, withScheme: boolean, withLastSlash: boolean): string {
  const rest = readable(url.pathname + url.search + url.hash);
  const scheme = withScheme ? `${url.protocol}//` : "";
  return scheme + url.host + (rest === "/" && !withLastSlash ? "" : rest);
}

const ENCODED = /(?:%[89a-f][0-9a-f])+/giu;
/** What a reader sees as a letter, a digit, or a sign on one of them. Blanks and look-alikes of slashes stay encoded. */
const LETTER = /^[\p{Letter}\p{Mark}\p{Number}]$/u;
const UNSEEN = /^\p{Default_Ignorable_Code_Point}$/u;

/** Behind the host, the letters of other languages can be read: `/wiki/Köln`. */
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
