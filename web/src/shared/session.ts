import type { Wire } from "@/shared/api/api";
import { TOKEN_LIFETIME_SECONDS } from "@/shared/wire/limits";

/** Two cookies hold the sign-in. The server reads neither: calls carry the token themselves. */
const TOKEN_COOKIE = "annon_token";
const CACHE_COOKIE = "_cache_";

const ROOM_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Account = Pick<Wire["Dashboard"], "user">;

/** The bearer token, while somebody is signed in. */
export function token(): string | undefined {
  return readCookie(TOKEN_COOKIE) || undefined;
}

export function keepToken(value: string) {
  writeCookie(TOKEN_COOKIE, value, TOKEN_LIFETIME_SECONDS);
}

/** Who is signed in, as the dashboard last said. */
export function cachedAccount(): Account | undefined {
  try {
    const cached = JSON.parse(readCookie(CACHE_COOKIE) ?? "null");
    return typeof cached?.user?.username === "string" ? (cached as Account) : undefined;
  } catch {
    return undefined;
  }
}

export function cacheAccount({ user }: Account) {
  writeCookie(CACHE_COOKIE, JSON.stringify({ user }), TOKEN_LIFETIME_SECONDS);
}

/** Forgets the sign-in on this device, also the cookies under the numbers of one's groups: they hold one's name. */
export function forgetSession() {
  writeCookie(TOKEN_COOKIE, "", 0);
  writeCookie(CACHE_COOKIE, "", 0);
  for (const cookie of document.cookie.split("; ")) {
    const [name = ""] = cookie.split("=");
    if (ROOM_ID.test(name)) writeCookie(name, "", 0);
  }
}

/** A cookie of the app's own, readable by it alone on this site and gone after `seconds`. */
export function writeCookie(name: string, value: string, seconds: number) {
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on insecure origins and in Firefox
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
}

/** One that can't be decoded isn't ours: another app on the same host may use the name as well. */
export function readCookie(name: string): string | undefined {
  for (const cookie of document.cookie.split("; ")) {
    if (!cookie.startsWith(`${name}=`)) continue;
    try {
      return decodeURIComponent(cookie.slice(name.length + 1));
    } catch {
      // There may be another of that name, for another path.
    }
  }
  return undefined;
}
