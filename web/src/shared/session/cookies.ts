/** A cookie of the app's own, readable by it alone on this site and gone after `seconds`. */
export function writeCookie(name: string, value: string, seconds: number) {
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  const cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on insecure origins and in Firefox
    document.cookie = cookie;
  } catch {
    // A cookie that can't be written can't be read either, and callers check that.
  }
}

/** Whether this browser keeps cookies at all. The name is another each time: another tab may be looking, too. */
export function keepsCookies(): boolean {
  const name = `annon_probe${Math.random()}`;
  writeCookie(name, "1", 60);
  const isKept = readCookies(name).length > 0;
  writeCookie(name, "", -1);
  return isKept;
}

/**
 * The values of all cookies of that name: another app on the same host may use the name as well, for another path.
 * One that can't be decoded isn't ours.
 */
export function readCookies(name: string): string[] {
  return cookiePairs().flatMap((cookie) => {
    if (!cookie.startsWith(`${name}=`)) return [];
    try {
      return [decodeURIComponent(cookie.slice(name.length + 1))].filter((value) => value !== "");
    } catch {
      return [];
    }
  });
}

export function cookieNames(): string[] {
  return cookiePairs().flatMap((cookie) => cookie.split("=", 1));
}

/** Where a page may keep nothing, even to look throws. */
function cookiePairs(): string[] {
  try {
    return document.cookie.split("; ");
  } catch {
    return [];
  }
}
