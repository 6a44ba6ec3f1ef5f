/** A cookie of the app's own, readable by it alone on this site and gone after `seconds`. */
export function writeCookie(name: string, value: string, seconds: number) {
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on insecure origins and in Firefox
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
}

/**
 * The values of all cookies of that name: another app on the same host may use the name as well, for another path.
 * One that can't be decoded isn't ours.
 */
export function readCookies(name: string): string[] {
  return document.cookie.split("; ").flatMap((cookie) => {
    if (!cookie.startsWith(`${name}=`)) return [];
    try {
      return [decodeURIComponent(cookie.slice(name.length + 1))].filter((value) => value !== "");
    } catch {
      return [];
    }
  });
}

export function cookieNames(): string[] {
  return document.cookie.split("; ").flatMap((cookie) => cookie.split("=", 1));
}
