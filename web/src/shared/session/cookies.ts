/** Writes a cookie for this site only. It expires after `seconds`. */
export function writeCookie(name: string, value: string, seconds: number) {
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  const cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on insecure origins and in Firefox
    document.cookie = cookie;
  } catch {
    // Callers read the cookie to see whether it was written.
  }
}

/** Whether this browser keeps cookies. The name is random, because another tab may test at the same time. */
export function keepsCookies(): boolean {
  const name = `annon_probe${Math.random()}`;
  writeCookie(name, "1", 60);
  const isKept = readCookies(name).length > 0;
  writeCookie(name, "", -1);
  return isKept;
}

/**
 * The values of all cookies with this name: another app on the same host may use it as well, for another path. A value
 * that can't be decoded is not ours.
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

/** If the browser blocks cookies, even reading them throws. */
function cookiePairs(): string[] {
  try {
    return document.cookie.split("; ");
  } catch {
    return [];
  }
}
